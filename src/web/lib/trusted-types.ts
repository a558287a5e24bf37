type PolicyFactory = {
  createPolicy(name: string, rules: { createHTML(markup: string): string | null }): unknown
}

/** React makes a script element out of this; the live announcer of the kit empties itself with the other. */
const harmless = new Set(['<script></script>', ''])

/** Of the router's script that scrolls to where one was, which only ever runs when it comes from the server. */
const scrollScript = '"react-router-scroll-positions"'

/**
 * The one Trusted Types policy of the product. Markup from a string is refused everywhere, save for the two constants
 * that the framework itself assigns. The router's script stays empty when the document is put together anew, as it is
 * after an error: refusing it would take the page along.
 */
export function allowFrameworkMarkup(): void {
  const factory = (window as { trustedTypes?: PolicyFactory }).trustedTypes
  factory?.createPolicy('default', {
    createHTML(markup) {
      if (harmless.has(markup)) return markup
      return markup.includes(scrollScript) ? '' : null
    },
  })
}
