import type { Mail } from '../../integrations/mail/port.ts'

type Letter = {
  to: string
  subject: string
  greeting: string
  paragraphs: string[]
  link: { text: string; url: string }
}

/** The link for a new password. */
export function passwordMail(to: string, firstName: string, url: string): Mail {
  return letter({
    to,
    subject: 'Choose a new password',
    greeting: `Hello ${firstName},`,
    paragraphs: [
      'Somebody, most likely you, asked for a new password for Hearth. The link works once, for one hour.',
      'If it was not you, you need not do anything: your password stays as it is.',
    ],
    link: { text: 'Choose a new password', url },
  })
}

/** The link that confirms an email address. */
export function verificationMail(to: string, firstName: string, url: string): Mail {
  return letter({
    to,
    subject: 'Please confirm your email address',
    greeting: `Hello ${firstName},`,
    paragraphs: [
      'Please confirm that this address is yours. Until then our mails to it say nothing about your sessions.',
      'If you did not sign up for Hearth, you need not do anything.',
    ],
    link: { text: 'Confirm this address', url },
  })
}

/** Text and HTML of one letter, from the same words. */
function letter({ to, subject, greeting, paragraphs, link }: Letter): Mail {
  const text = [greeting, ...paragraphs, `${link.text}: ${link.url}`, 'Hearth'].join('\n\n')
  const html = [
    '<!doctype html><html lang="en-GB"><body style="font:16px/1.6 sans-serif;color:#1f2a2e;max-width:36rem">',
    `<p>${escape(greeting)}</p>`,
    ...paragraphs.map((paragraph) => `<p>${escape(paragraph)}</p>`),
    `<p><a href="${escape(link.url)}">${escape(link.text)}</a></p><p>Hearth</p></body></html>`,
  ].join('\n')
  return { to, subject, text, html }
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
