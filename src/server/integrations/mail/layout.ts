import type { Mail } from './port.ts'
import { escapeMarkup } from '../../markup.ts'

export type MailLink = { text: string; url: string }

/** What a mail says; every text is plain, and made safe for HTML here. */
export type MailContent = {
  to: string
  subject: string
  /** What a list of mails shows beside the subject; the first paragraph when absent. */
  preheader?: string
  greeting: string
  paragraphs: string[]
  /** Facts, in rows: Date, Time, Practitioner, Price. Several values of one stand in lines of their own. */
  details?: { label: string; value: string | string[] }[]
  /** The one thing to do: a button, with its address as text. */
  link?: MailLink
  /** What else can be done, as plain links. */
  links?: MailLink[]
  /** What follows the links, such as until when they hold. */
  closing?: string[]
  /** Why one gets this mail. */
  reason?: string
}

const signature = 'Hearth'

/**
 * Builds the text and the HTML of a mail from the same content. The HTML has inline styles, no picture and nothing from elsewhere;
 * programs that know about dark themes get one of its own, the others darken it themselves.
 */
export function writeMail(content: MailContent): Mail {
  return { to: content.to, subject: content.subject, text: textOf(content), html: htmlOf(content) }
}

function textOf({
  greeting,
  paragraphs,
  details = [],
  link,
  links = [],
  closing = [],
  reason,
}: MailContent): string {
  return [
    greeting,
    ...paragraphs,
    details.map(({ label, value }) => `${label}: ${[value].flat().join('\n')}`).join('\n'),
    ...[...(link ? [link] : []), ...links].map(({ text, url }) => `${text}: ${url}`),
    ...closing,
    signature,
    reason ?? '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The product's light theme, written on every element: many programs know nothing else. */
const look = {
  body: 'margin:0;padding:0;background:#faf5ec;-webkit-text-size-adjust:100%;',
  page: "margin:0;padding:24px 12px;background:#faf5ec;color:#25211b;font:17px/1.6 'Source Sans 3',-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;",
  frame: 'max-width:560px;margin:0 auto;',
  name: "margin:0 0 16px;padding:0 4px;color:#1f5b45;font:600 24px/1.2 Fraunces,Georgia,'Times New Roman',serif;letter-spacing:-0.01em;",
  card: 'padding:28px 24px;background:#fffdf8;border:1px solid #e3d9c8;border-radius:16px;',
  heading:
    "margin:0 0 18px;color:#25211b;font:500 25px/1.25 Fraunces,Georgia,'Times New Roman',serif;letter-spacing:-0.01em;",
  paragraph: 'margin:0 0 16px;',
  details:
    'width:100%;margin:4px 0 22px;border-collapse:collapse;border-top:1px solid #e3d9c8;font-size:16px;line-height:1.5;',
  label:
    'padding:9px 14px 9px 0;border-bottom:1px solid #e3d9c8;color:#6c6354;font-weight:400;text-align:left;vertical-align:top;white-space:nowrap;',
  value:
    'padding:9px 0;border-bottom:1px solid #e3d9c8;color:#25211b;font-weight:600;text-align:left;vertical-align:top;overflow-wrap:anywhere;',
  line: 'margin:0 0 5px;',
  button:
    'display:inline-block;padding:13px 22px;background:#1f5b45;border-radius:10px;color:#ffffff;font-weight:600;line-height:1.3;text-decoration:none;',
  address: 'margin:0 0 16px;color:#6c6354;font-size:14px;line-height:1.5;overflow-wrap:anywhere;',
  link: 'color:#1f5b45;text-decoration:underline;',
  footer: 'margin:18px 0 0;padding:0 4px;color:#6c6354;font-size:14px;line-height:1.5;',
  // Out of sight, and padded so that nothing of the mail follows it in the list.
  preheader:
    'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:#faf5ec;',
} as const

/** The dark theme: only here can a mail ask how its reader's screen is. */
const darkTheme = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.h-page{background:#161b19!important;color:#efe9dd!important}
.h-name{color:#8ecfae!important}
.h-card{background:#1f2623!important;border-color:#37403b!important}
.h-ink{color:#efe9dd!important}
.h-soft{color:#a29c8f!important}
.h-line{border-color:#37403b!important}
.h-button{background:#8ecfae!important;color:#0d2118!important}
.h-link{color:#8ecfae!important}
}
`.trim()

const valueOf = (value: string | string[]) =>
  typeof value === 'string'
    ? escapeMarkup(value)
    : value.map((each) => `<div style="${look.line}">${escapeMarkup(each)}</div>`).join('')

function htmlOf({
  subject,
  preheader,
  greeting,
  paragraphs,
  details = [],
  link,
  links = [],
  closing = [],
  reason,
}: MailContent): string {
  const paragraph = (text: string) => `<p style="${look.paragraph}">${escapeMarkup(text)}</p>`
  return [
    '<!doctype html>',
    '<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    // Telephone programs otherwise turn dates, times and prices into blue links.
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">',
    `<title>${escapeMarkup(subject)}</title><style>${darkTheme}</style></head>`,
    `<body class="h-page" style="${look.body}">`,
    `<div style="${look.preheader}">${escapeMarkup(preheader ?? paragraphs[0] ?? '')}${'&#847;&#8203; '.repeat(60)}</div>`,
    `<div class="h-page" style="${look.page}"><div style="${look.frame}">`,
    `<p class="h-name" style="${look.name}">${signature}</p>`,
    `<div class="h-card" style="${look.card}">`,
    `<h1 class="h-ink" style="${look.heading}">${escapeMarkup(subject)}</h1>`,
    paragraph(greeting),
    ...paragraphs.map(paragraph),
    ...(details.length > 0
      ? [
          `<table class="h-line" style="${look.details}">`,
          ...details.map(
            ({ label, value }) =>
              `<tr><th class="h-soft h-line" scope="row" style="${look.label}">${escapeMarkup(label)}</th><td class="h-ink h-line" style="${look.value}">${valueOf(value)}</td></tr>`,
          ),
          '</table>',
        ]
      : []),
    ...(link
      ? [
          `<p style="margin:24px 0 14px;"><a class="h-button" href="${escapeMarkup(link.url)}" style="${look.button}">${escapeMarkup(link.text)}</a></p>`,
          `<p class="h-soft" style="${look.address}">Or copy this address: <a class="h-link" href="${escapeMarkup(link.url)}" style="${look.link}">${escapeMarkup(link.url)}</a></p>`,
        ]
      : []),
    ...links.map(
      ({ text, url }) =>
        `<p style="${look.paragraph}"><a class="h-link" href="${escapeMarkup(url)}" style="${look.link}">${escapeMarkup(text)}</a></p>`,
    ),
    ...closing.map(paragraph),
    '</div>',
    `<p class="h-soft" style="${look.footer}">${escapeMarkup(reason ?? signature)}</p>`,
    '</div></div></body></html>',
  ].join('\n')
}
