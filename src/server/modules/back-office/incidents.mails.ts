import type { GatewayIncident } from '#contract/payment-desk.ts'
import { letter } from '../../integrations/mail/letter.ts'
import type { Mail } from '../../integrations/mail/port.ts'

const what: Record<GatewayIncident['kind'], { subject: string; words: string }> = {
  refund: {
    subject: 'A refund was made at the payment provider',
    words:
      'A refund was made in the payment provider’s dashboard. It is in the books; the session stays as it was.',
  },
  capture: {
    subject: 'A payment was captured at the payment provider',
    words:
      'A payment was captured in the payment provider’s dashboard before its session was booked. It is in the books, and goes back by itself if the session is not booked.',
  },
  release: {
    subject: 'A booked session is not paid',
    words: 'The authorisation of a booked session ended at the payment provider before the money was taken.',
  },
  refund_failed: {
    subject: 'A refund did not reach the card',
    words: 'A bank has sent a refund back. The client is still to get the money, in another way.',
  },
  dispute: {
    subject: 'A payment is disputed',
    words:
      'A client has asked their bank to take a payment back. Please answer it at the payment provider in time. What is owed for it is withheld until it is decided.',
  },
  mismatch: {
    subject: 'The payment provider contradicts our books',
    words: 'A payment stands otherwise at the payment provider than in our books, and nothing explains it.',
  },
}

/** To the office: something happened at the payment provider. Whom it is about stands behind the sign-in alone. */
export function incidentMail(
  to: string,
  { kind, reference, dispute }: Pick<GatewayIncident, 'kind' | 'reference' | 'dispute'>,
  publicUrl: string,
): Mail {
  const isLost = dispute === 'lost'
  return letter({
    to,
    subject: isLost ? 'A dispute is lost' : what[kind].subject,
    greeting: 'Hello,',
    paragraphs: [
      isLost
        ? 'A bank has decided a dispute for its client. Please decide who bears it: until then, what is owed for the session is withheld.'
        : what[kind].words,
    ],
    details: [{ label: 'At the payment provider', value: reference }],
    link: {
      text: 'See what is to be decided',
      url: `${publicUrl}/admin/sign-in?return_to=${encodeURIComponent('/admin/payments')}`,
    },
    reason: 'You get this mail because you look after Hearth.',
  })
}
