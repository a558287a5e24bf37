/** The configured payment gateway, as it stands in the paths of payment calls. */
export const paymentProvider: string = 'sandbox'

/** Whether no real money moves: only test cards work, and the bank's question is ours. */
export const isSandbox = paymentProvider === 'sandbox'
