/** The words of a shell command: quotes and backslash-newlines as sh reads them, `$NAME` filled in outside single quotes. */
export function shellWords(command: string, variables: ReadonlyMap<string, string>): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [, single, double, bare, space] of command.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)|(\s+)/g)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + (single ?? filled(double ?? bare ?? '', variables));
  }
  return word === undefined ? words : [...words, word];
}

function filled(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`$${name} is not set`);
    return value;
  });
}
