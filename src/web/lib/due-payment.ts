import { formatPounds } from './money.ts'
import { formatDayAndTime } from './time.ts'

/** The payment of a reserved session, as its page and its series tell the client of it. */
export type DuePayment = {
  /**
   * `planned`: taken at `pay_at`. `no_card`: no card is set that could pay it then. `open`: for the client to pay.
   * `failed`: the same, after a try.
   */
  stage: 'planned' | 'no_card' | 'checking' | 'failed' | 'open'
  fee: number
  /** Null where nothing is taken by itself. */
  pay_at: string | null
  /** Null where it cannot be paid yet. */
  pay_by: string | null
}

/** Where the payment of a reserved session stands, and what the client has to do. */
export function duePaymentLabel({ stage, fee, pay_at, pay_by }: DuePayment, zone: string): string {
  const by = pay_by ? ` Pay by ${formatDayAndTime(pay_by, zone)}, or the hour becomes free.` : ''
  switch (stage) {
    case 'checking':
      return 'Your payment is being checked.'
    case 'failed':
      return `The payment did not go through.${by}`
    case 'open':
      return `Not paid yet.${by}`
    default: {
      if (!pay_at) return 'Not paid yet.'
      const at = formatDayAndTime(pay_at, zone)
      return stage === 'no_card'
        ? `Not paid yet, and no card is set to pay it. Choose one, or pay from ${at}.${by}`
        : `Not paid yet: ${formatPounds(fee)} will be taken on ${at}.`
    }
  }
}
