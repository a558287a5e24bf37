import type { SiteFacts } from '#web/lib/server-context.ts'

/** What a page is sent with, so that browsers let it do what it has to and nothing else. */
export function pageHeaders(
  nonce: string,
  mode: 'production' | 'development',
  { origin, payment, files }: SiteFacts,
): Map<string, string> {
  const development = mode === 'development'
  const paid = paymentSources(payment)
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${paid.scripts}`,
    // The tools of development put styles into the page themselves.
    development ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' blob:${files ? ` ${files}` : ''}`,
    ...(files ? [`media-src 'self' ${files}`] : []),
    "font-src 'self'",
    // Not every browser takes the chat's socket for the page's own origin.
    `connect-src 'self' ${development ? 'ws:' : origin.replace(/^http/, 'ws')}${paid.calls}`,
    `frame-src 'self' https://www.youtube-nocookie.com${paid.frames}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(development ? [] : ["require-trusted-types-for 'script'", 'trusted-types default']),
  ]
  return new Map([
    ['Content-Security-Policy', policy.join('; ')],
    ['Referrer-Policy', 'no-referrer'],
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), interest-cohort=()'],
  ])
}

/**
 * What the payment provider's own script needs (https://docs.stripe.com/security/guide#content-security-policy). It is
 * allowed on every page: one goes from any of them to a payment without another document, and so another policy.
 */
function paymentSources(payment: SiteFacts['payment']): { scripts: string; frames: string; calls: string } {
  if (payment.provider === 'sandbox') return { scripts: '', frames: '', calls: '' }
  if (!payment.isReal) {
    const { origin } = new URL(payment.script)
    return { scripts: ` ${origin}`, frames: ` ${origin}`, calls: ` ${origin}` }
  }
  const own = ' https://js.stripe.com https://*.js.stripe.com'
  return { scripts: own, frames: `${own} https://hooks.stripe.com`, calls: ' https://api.stripe.com' }
}
