/*
 * The configured payment gateway, as the server has written it into the head of the page: calls are made outside of
 * components too, which could not ask the site's facts.
 */

const read = (name: string) =>
  typeof document === 'undefined'
    ? undefined
    : document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content

/** Its name, as it stands in the paths of payment calls. */
export function paymentProvider(): string {
  return read('payment-provider') ?? 'sandbox'
}

/** Whether no real money moves: only test cards work, and the bank's question is ours. */
export function isSandbox(): boolean {
  return paymentProvider() === 'sandbox'
}

/** The provider's own script, and the key that it is called with. */
export function paymentScript(): { address: string; key: string } | undefined {
  const [address, key] = [read('payment-script'), read('payment-key')]
  return address && key ? { address, key } : undefined
}
