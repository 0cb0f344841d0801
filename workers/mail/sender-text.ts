import type { Sender } from './message.ts';

/** A sender as a header writes it, in Unicode: `"Ann, of Sales" <ann@example.com>`. */
export function senderText({ address, name }: Sender): string {
  return name === '' ? address : `"${name.replaceAll(/["\\]/g, '\\$&')}" <${address}>`;
}

/** The same in ASCII: a name beyond it becomes encoded words (RFC 2047). */
export function asciiSenderText(sender: Sender): string {
  return /^[\u0020-\u007e]*$/.test(sender.name) ? senderText(sender) : `${encodedWords(sender.name)} <${sender.address}>`;
}

/** 45 bytes are 60 characters of base64; an encoded word has at most 75, and holds whole characters. */
const wordBytesMax = 45;

function encodedWords(text: string): string {
  const words: string[] = [''];
  for (const character of text) {
    const last = words.at(-1) ?? '';
    if (Buffer.byteLength(last + character) <= wordBytesMax) words[words.length - 1] = last + character;
    else words.push(character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}
