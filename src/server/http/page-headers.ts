import type { SiteFacts } from '#web/lib/server-context.ts'
import { sourceOf } from './page-body.ts'

/**
 * What the kit puts into a page as styles of its own, while something is pressed or a window is open (`usePress` and
 * `usePreventScroll` of react-aria). The journeys fail where a version says it in other words.
 */
const kitStyles = [
  '@layer {\n  [data-react-aria-pressable] {\n    touch-action: pan-x pan-y pinch-zoom;\n  }\n}',
  '@layer {\n  * {\n    overscroll-behavior: contain;\n  }\n}',
].map(sourceOf)

/**
 * What a page is sent with, so that browsers let it do what it has to and nothing else.
 * @param scripts the inline scripts that it may run, as a policy names them
 * @param path of the page: camera and microphone are for the room of a session alone
 */
export function pageHeaders(
  scripts: readonly string[],
  mode: 'production' | 'development',
  { origin, payment, files, identityButton }: SiteFacts,
  path: string,
): Record<string, string> {
  const development = mode === 'development'
  const paid = paymentSources(payment)
  const entrance = entranceSources(identityButton)
  const policy = [
    "default-src 'self'",
    `script-src ${["'self'", ...scripts].join(' ')}${paid.scripts}${entrance.scripts}`,
    // The tools of development put styles into the page themselves.
    `style-src 'self' ${development ? "'unsafe-inline'" : kitStyles.join(' ')}${entrance.styles}`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' blob:${files ? ` ${files}` : ''}`,
    ...(files ? [`media-src 'self' ${files}`] : []),
    "font-src 'self'",
    // Not every browser takes the chat's socket for the page's own origin.
    `connect-src 'self' ${development ? 'ws:' : origin.replace(/^http/, 'ws')}${paid.calls}${entrance.frames}`,
    `frame-src 'self' https://www.youtube-nocookie.com${paid.frames}${entrance.frames}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(development
      ? []
      : ["require-trusted-types-for 'script'", `trusted-types default${entrance.policies}`]),
  ]
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // Google's own window has to be able to answer.
    'cross-origin-opener-policy': identityButton ? 'same-origin-allow-popups' : 'same-origin',
    'permissions-policy': `${devicesOf(path)}, geolocation=(), interest-cohort=()`,
  }
}

const devicesOf = (path: string) =>
  /^\/session-room\/?$/.test(path) ? 'camera=(self), microphone=(self)' : 'camera=(), microphone=()'

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

/**
 * What Google's button needs (https://developers.google.com/identity/gsi/web/guides/get-google-api-clientid): its script, its
 * styles, and what lies beside them for frames and calls. Its script makes a policy of its own for its markup.
 */
function entranceSources(button: SiteFacts['identityButton']) {
  if (!button) return { scripts: '', styles: '', frames: '', policies: '' }
  const base = new URL('.', button.script).href
  return {
    scripts: ` ${button.script}`,
    styles: ` ${base}style`,
    frames: ` ${base}`,
    policies: ' goog#html',
  }
}
