import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MailError } from '../../../workers/mail/mail-error.ts';
import { withoutKeys } from '../../../workers/mail/mail-settings.ts';
import { checkMail, messageId, type Mail } from '../../../workers/mail/message.ts';
import { asciiSenderText, senderText } from '../../../workers/mail/sender-text.ts';
import { empty, mail } from './mail-fixture.ts';

/** An address of so many characters that is right in everything but its length. */
const addressOf = (length: number): string => {
  const domain = `${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(60)}.example`;
  return `${'l'.repeat(length - domain.length - 1)}@${domain}`;
};

const right: Readonly<Record<string, Partial<Mail>>> = {
  'a mail': {},
  'addresses of 254 characters': { to: addressOf(254), from: { address: addressOf(254), name: '' } },
  'an address with every sign that needs no quoting': { to: "a.b+c_d-e!#$%&'*/=?^`{|}~@x-y.example" },
  'a host of one label': { to: 'root@mailhost' },
  'a name and a subject beyond ASCII': { from: { address: 'a@b.example', name: '会社 "X", Ltd <x@y>' }, subject: '😀'.repeat(100) },
  'text alone': { html: '' },
  'html alone': { text: '' },
  'line breaks in the texts': { text: 'a\r\n.\r\nb\0', html: '<p>\r\n</p>' },
};

const lineBreaks = ['\r\n', '\n', '\r', '\0', '\u0085', '\u2028', '\u2029', '\u001b', '\u007f'];

const wrong: Readonly<Record<string, Partial<Mail>>> = {
  ...Object.fromEntries<Partial<Mail>>(
    lineBreaks.flatMap((each): [string, Partial<Mail>][] => [
      [`${JSON.stringify(each)} in the recipient`, { to: `bob@example.org${each}Bcc: eve@example.net` }],
      [`${JSON.stringify(each)} at the end of the recipient`, { to: `bob@example.org${each}` }],
      [`${JSON.stringify(each)} in the sender's address`, { from: { address: `a@b.example${each}Bcc: eve@example.net`, name: '' } }],
      [`${JSON.stringify(each)} in the sender's name`, { from: { address: 'a@b.example', name: `Shop${each}Bcc: eve@example.net` } }],
      [`${JSON.stringify(each)} in the subject`, { subject: `Hello${each}Bcc: eve@example.net` }],
      [`${JSON.stringify(each)} in the id`, { id: `id${each}` }],
    ]),
  ),
  'an address of 255 characters': { to: addressOf(255) },
  'a sender of 255 characters': { from: { address: addressOf(255), name: '' } },
  'a local part of 65 characters': { to: `${'l'.repeat(65)}@example.org` },
  'a label of 64 characters': { to: `a@${'d'.repeat(64)}.example` },
  'two recipients, comma': { to: 'bob@example.org,eve@example.net' },
  'two recipients, semicolon': { to: 'bob@example.org;eve@example.net' },
  'two recipients, space': { to: 'bob@example.org eve@example.net' },
  'an address with a name': { to: 'Bob <bob@example.org>' },
  'a quoted local part': { to: '"bob eve"@example.org' },
  'a comment': { to: 'bob(x)@example.org' },
  'two at signs': { to: 'bob@eve@example.org' },
  'no at sign': { to: 'bob' },
  'no recipient': { to: '' },
  'no host': { to: 'bob@' },
  'an address literal': { to: 'bob@[127.0.0.1]' },
  'dots that touch': { to: 'bob..x@example.org' },
  'an address beyond ASCII': { to: 'bjørn@example.org' },
  'half a character in the subject': { subject: 'a\ud800' },
  'a subject longer than a line': { subject: 's'.repeat(999) },
  'a name longer than a line': { from: { address: 'a@b.example', name: 'n'.repeat(999) } },
  'no id': { id: '' },
  'an id that would leave its angle brackets': { id: 'a>b' },
  'nothing to say': { text: '', html: '' },
};

for (const [name, change] of Object.entries(right)) {
  test(`${name} may be sent`, () => {
    assert.doesNotThrow(() => checkMail({ ...mail, ...change }));
  });
}

for (const [name, change] of Object.entries(wrong)) {
  test(`${name} is refused for good`, () => {
    assert.throws(
      () => checkMail({ ...mail, ...change }),
      (error: unknown) => error instanceof MailError && error.retry === 'never',
    );
  });
}

test('the Message-ID is the same for every attempt and lies in the domain of the sender', () => {
  assert.equal(messageId({ ...mail, id: 'm-1' }), '<m-1@shop.example>');
});

test('a sender is written with his name in quotes, or without one', () => {
  assert.equal(senderText({ address: 'a@b.example', name: '' }), 'a@b.example');
  assert.equal(senderText({ address: 'a@b.example', name: 'Ann, "of" \\ <x@y>' }), '"Ann, \\"of\\" \\\\ <x@y>" <a@b.example>');
});

test('in ASCII a name becomes encoded words of at most 75 characters that hold whole characters', () => {
  const name = `${'ü'.repeat(40)} 😀😀 会社`;

  const text = asciiSenderText({ address: 'a@b.example', name });

  const words = text.replace(' <a@b.example>', '').split(' ');
  assert.ok(words.length > 2);
  assert.ok(words.every((word) => word.length <= 75 && /^=\?UTF-8\?B\?[A-Za-z0-9+/]+=*\?=$/.test(word)));
  const decoded = words.map((word) => Buffer.from(word.slice(10, -2), 'base64').toString('utf8'));
  assert.ok(decoded.every((part) => !part.includes('\ufffd')));
  assert.equal(decoded.join(''), name);
});

test('in ASCII a plain name stays as it is', () => {
  assert.equal(asciiSenderText({ address: 'a@b.example', name: 'Shop "A"' }), '"Shop \\"A\\"" <a@b.example>');
});

test('keys are taken out of a quotation in every form in which a peer could quote them', () => {
  const settings = { ...empty, provider: 'smtp', apiKey: 'user+1', apiSecret: 'pass word' } as const;
  const forms = ['user+1', 'pass word', encodeURIComponent('pass word'), base64('user+1'), base64('pass word'), base64('\0user+1\0pass word')];

  const text = withoutKeys(forms.join(' | '), settings);

  assert.equal(text, forms.map(() => '[key]').join(' | '));
});

test('a quotation is one line of bounded length, and empty keys take nothing out of it', () => {
  const text = withoutKeys(` a\r\n b\t\u001bc ${'x'.repeat(1_000)}`, { ...empty, provider: 'smtp' });

  assert.equal(text.length, 300);
  assert.match(text, /^a b c x+$/);
});

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
