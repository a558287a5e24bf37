import type { FastifyInstance } from 'fastify'
import type { Mail } from '../integrations/mail/port.ts'
import { escapeMarkup } from '../markup.ts'

/** A preview of a mail, with made-up data. */
export type MailPreview = {
  /** The function that writes it: `accounts.passwordMail`. */
  template: string
  /** Which of what it writes: `booked, to the client`. */
  variant: string
  mail: Mail
}

const base = '/development/mails'

/** Serves preview pages of all mails of the product. */
export function mountMailPreviews(app: FastifyInstance, previews: readonly MailPreview[]): void {
  const bySlug = new Map(previews.map((preview) => [slugOf(preview), preview]))
  app.addHook('onSend', async (request, reply) => {
    if (!request.url.startsWith(base)) return
    reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex')
    // The mail stands in a frame of the page, which is held to the same: no script, and nothing from elsewhere.
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'")
  })
  app.get(base, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(page('All mails', listOf([...bySlug]))),
  )
  app.get(`${base}/:slug`, async (request, reply) => {
    const preview = bySlug.get((request.params as { slug: string }).slug)
    if (!preview) return reply.redirect(base, 303)
    return reply
      .type('text/html; charset=utf-8')
      .send(page(`${preview.mail.subject} – ${preview.variant}`, viewOf(preview)))
  })
}

export const slugOf = ({ template, variant }: MailPreview) =>
  `${template}-${variant}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')

function listOf(previews: [slug: string, preview: MailPreview][]): string {
  const groups = Map.groupBy(previews, ([, { template }]) => template)
  const entry = ([slug, { variant, mail }]: [string, MailPreview]) =>
    `<li><a href="${base}/${slug}">${escapeMarkup(variant)}</a> <span>${escapeMarkup(mail.subject)}</span></li>`
  return [...groups]
    .map(([template, of]) => `<h2>${escapeMarkup(template)}</h2><ul>${of.map(entry).join('')}</ul>`)
    .join('')
}

function viewOf({ template, variant, mail }: MailPreview): string {
  const rows = [
    ['Template', `${template}: ${variant}`],
    ['To', mail.to],
    ['Subject', mail.subject],
    ...(mail.unsubscribeUrl ? [['Can be turned off', mail.unsubscribeUrl]] : []),
  ] as const
  return [
    `<p><a href="${base}">All mails</a></p><dl>`,
    ...rows.map(([name, value]) => `<dt>${name}</dt><dd>${escapeMarkup(value)}</dd>`),
    '</dl><div class="sides"><section><h2>HTML</h2>',
    `<iframe title="The mail as HTML" sandbox="allow-same-origin" srcdoc="${escapeMarkup(mail.html)}"></iframe></section>`,
    `<section><h2>Text</h2><pre tabindex="0">${escapeMarkup(mail.text)}</pre></section></div>`,
    mail.calendar
      ? `<section><h2>Calendar entry (${mail.calendar.method})</h2><pre tabindex="0">${escapeMarkup(mail.calendar.content)}</pre></section>`
      : '',
  ].join('')
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en-GB">
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)} – Development mails</title>
<style>
  body { font: 1.0625rem/1.5 system-ui, sans-serif; max-width: 80rem; margin: 2rem auto; padding: 0 1rem }
  p.note { border: 2px dashed; padding: .75rem 1rem }
  h1 { font-size: 1.6rem; overflow-wrap: anywhere } h2 { font-size: 1.1rem; margin: 1.75rem 0 .5rem }
  ul { list-style: none; padding: 0; margin: 0 } li { padding: .5rem 0; border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent) }
  li a { display: inline-block; min-width: 16rem; padding: .4rem 0 } li span { opacity: .8 }
  dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem 1rem } dt { opacity: .75 } dd { margin: 0; overflow-wrap: anywhere }
  .sides { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)) }
  iframe { width: 100%; height: 52rem; border: 1px solid; border-radius: .5rem; background: Canvas }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font: .95rem/1.5 ui-monospace, monospace; border: 1px solid; border-radius: .5rem; padding: 1rem; margin: 0 }
</style>
<main>
<p class="note">A development page with made-up data, on this machine alone. None of these mails was sent.</p>
<h1>${escapeMarkup(title)}</h1>
${body}
</main>
</html>`
}
