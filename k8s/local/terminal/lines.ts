/** Hands on each line of `stream`, the last one also without its end. */
export function onLines(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = (parts.pop() ?? '').slice(-lineLengthMax);
    parts.forEach(take);
  });
  stream.on('end', () => {
    if (rest !== '') take(rest);
  });
}

/** A line without end is not kept whole. */
const lineLengthMax = 1_048_576;
