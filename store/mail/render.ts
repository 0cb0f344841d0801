import { placeholders, type MailTemplate, type Placeholder } from '../../proto/schema/mail-template.ts';

export type MailValues = Readonly<Partial<Record<Placeholder, string>>>;

/** A template with its values put in: nothing in a value is taken for HTML, for a line of the header, or for another placeholder. */
export function renderTemplate(template: MailTemplate, values: MailValues): MailTemplate {
  return {
    subject: filled(template.subject, values, (value) => value.replaceAll(/[\r\n\0]+/g, ' ')),
    text: filled(template.text, values, (value) => value),
    html: filled(template.html, values, escapeHtml),
  };
}

function filled(text: string, values: MailValues, escape: (value: string) => string): string {
  return text.replaceAll(pattern, (_whole, name: Placeholder) => {
    const value = values[name];
    return value === undefined ? '' : escape(value);
  });
}

/** Text as HTML shows it, also within the quotes of an attribute. */
export function escapeHtml(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const pattern = new RegExp(`\\{(${placeholders.join('|')})\\}`, 'g');
