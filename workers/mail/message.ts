import { recordIdPattern } from '../../proto/values/ids.ts';
import { MailError } from './mail-error.ts';

/** One mail to one person. */
export interface Mail {
  readonly to: string;
  readonly from: Sender;
  readonly subject: string;
  /** Either may be empty, not both. */
  readonly text: string;
  readonly html: string;
  /** The same for every attempt to send this mail, so that whoever can tell copies apart does. */
  readonly id: string;
}

export interface Sender {
  readonly address: string;
  /** May be empty. */
  readonly name: string;
}

/** Refuses, for good, what could become more than one header or more than one recipient, and what no server takes. */
export function checkMail({ to, from, subject, text, html, id }: Mail): void {
  refuseUnless(isAddress(to), 'The address of the recipient is not an e-mail address.');
  refuseUnless(isAddress(from.address), 'The address of the sender is not an e-mail address.');
  refuseUnless(isHeaderText(from.name), 'The name of the sender holds a line break or another control character, or is too long.');
  refuseUnless(isHeaderText(subject), 'The subject holds a line break or another control character, or is too long.');
  refuseUnless(recordIdPattern.test(id), 'The id of the mail must have 1 to 64 of the characters A-Z, a-z, 0-9, _ and -.');
  refuseUnless(text !== '' || html !== '', 'The mail is empty.');
}

/** The `Message-ID` header: the same for every attempt, so that receivers that look at it show one copy. */
export function messageId({ id, from }: Mail): string {
  return `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`;
}

/** RFC 5321, 4.5.3.1.3: a path has 256 octets, its angle brackets included. */
const addressLengthMax = 254;

/**
 * A dot-atom at a host (RFC 5322, 3.4.1): nothing that an address list, a header or an SMTP command would read as its own.
 * Looser than the field type `email`: mail within a network goes to hosts of one label.
 */
const addressPattern =
  /^(?=.{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

/** RFC 5322, 2.1.1: a line has 998 characters. */
const headerLengthMax = 998;

function isAddress(text: string): boolean {
  return text.length <= addressLengthMax && addressPattern.test(text);
}

/** No control character, line breaks and NUL among them, nor what some programs take for a line break. */
function isHeaderText(text: string): boolean {
  return text.length <= headerLengthMax && !/[\p{Cc}\u2028\u2029]/u.test(text) && text.isWellFormed();
}

function refuseUnless(holds: boolean, message: string): void {
  if (!holds) throw new MailError('never', message);
}
