import type { MailKind, MailTemplate } from '../../proto/schema/mail-template.ts';

/** The templates that hold where a collection has none of its own. */
export const defaultTemplates: Readonly<Record<MailKind, MailTemplate>> = {
  verification: withLink({
    subject: 'Confirm your e-mail address at {APP_NAME}',
    lead: 'Please confirm that {EMAIL} is your address.',
    action: 'Confirm the address',
    end: 'The link is good for {MINUTES} minutes. If you have no account at {APP_NAME}, ignore this mail.',
  }),
  'password-reset': withLink({
    subject: 'Choose a new password for {APP_NAME}',
    lead: 'Somebody asked for a new password for {EMAIL}.',
    action: 'Choose a new password',
    end: 'The link is good once, for {MINUTES} minutes. If it was not you, ignore this mail: your password stays.',
  }),
  'email-change': withLink({
    subject: 'Confirm your new e-mail address at {APP_NAME}',
    lead: 'Please confirm that {EMAIL} shall be the address of your account from now on.',
    action: 'Confirm the new address',
    end: 'The link is good for {MINUTES} minutes. If it was not you, ignore this mail.',
  }),
  'email-change-notice': plain({
    subject: 'The e-mail address of your {APP_NAME} account is about to change',
    lead: 'Somebody who is signed in as you asked for {EMAIL} to become the address of your account.',
    end: 'If it was not you, sign in, change your password and sign out everywhere.',
  }),
  otp: plain({
    subject: '{OTP} is your code for {APP_NAME}',
    lead: 'Your code is {OTP}.',
    end: 'It is good once, for {MINUTES} minutes. If you did not ask for it, ignore this mail, and never tell the code to anybody.',
  }),
};

interface Words {
  readonly subject: string;
  readonly lead: string;
  readonly end: string;
}

function withLink({ subject, lead, action, end }: Words & { readonly action: string }): MailTemplate {
  return {
    subject,
    text: `${lead}\n\n${action}: {ACTION_URL}\n\n${end}\n`,
    html: page(`<p>${lead}</p><p><a href="{ACTION_URL}">${action}</a></p><p>${end}</p>`),
  };
}

function plain({ subject, lead, end }: Words): MailTemplate {
  return { subject, text: `${lead}\n\n${end}\n`, html: page(`<p>${lead}</p><p>${end}</p>`) };
}

function page(body: string): string {
  return `<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">${body}</body></html>`;
}
