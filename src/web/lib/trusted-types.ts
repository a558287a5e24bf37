type PolicyFactory = {
  createPolicy(name: string, rules: { createHTML(markup: string): string | null }): unknown
}

/** React makes a script element out of this; the live announcer of the kit empties itself with the other. */
const harmless = new Set(['<script></script>', ''])

/**
 * The one Trusted Types policy of the product. Markup from a string is refused everywhere, save for the two constants
 * that the framework itself assigns.
 */
export function allowFrameworkMarkup(): void {
  const factory = (window as { trustedTypes?: PolicyFactory }).trustedTypes
  factory?.createPolicy('default', { createHTML: (markup) => (harmless.has(markup) ? markup : null) })
}
