import { identityScript } from './identity-script.ts'
import { paymentScript } from './payment-provider.ts'

type PolicyFactory = {
  defaultPolicy: unknown
  createPolicy(
    name: string,
    rules: { createHTML(markup: string): string; createScriptURL(address: string): string },
  ): unknown
}

/** React makes a script element out of this. */
const harmless = '<script></script>'

/** The script of our own that is loaded by its address: it shows the offline page. */
export const serviceWorkerPath = '/service-worker.js'

/**
 * The one Trusted Types policy of the product: markup from a string becomes nothing, save for the constant that the
 * framework itself assigns. It is emptied rather than refused, since a refusal takes the whole page along where React
 * puts the document together anew: after an error, or when an extension has changed it before it came alive. The
 * scripts that React Router then writes once more have run already.
 */
export function allowFrameworkMarkup(): void {
  const factory = (window as { trustedTypes?: PolicyFactory }).trustedTypes
  // A page that waits to be used has made it already.
  if (!factory || factory.defaultPolicy) return
  factory.createPolicy('default', {
    createHTML: (markup) => (markup === harmless ? markup : ''),
    createScriptURL: (address) =>
      address === serviceWorkerPath || isOfPaymentProvider(address) || isOfIdentityProvider(address)
        ? address
        : '',
  })
}

/** The payment provider's script loads its own parts. */
function isOfPaymentProvider(address: string): boolean {
  const script = paymentScript()
  if (!script || !URL.canParse(address)) return false
  return new URL(address).origin === new URL(script.address).origin
}

/** So does the script that draws the sign-in provider's button, from beside it. */
function isOfIdentityProvider(address: string): boolean {
  const script = identityScript()
  return (
    script !== undefined &&
    URL.canParse(address) &&
    new URL(address).href.startsWith(new URL('.', script).href)
  )
}
