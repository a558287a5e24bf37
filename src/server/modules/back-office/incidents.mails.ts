import type { GatewayIncident } from '#contract/back-office/payments.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import { mailToAdmin } from '../../integrations/mail/recipients.ts'

const what: Record<GatewayIncident['kind'], { subject: string; words: string }> = {
  refund: {
    subject: 'A refund was made at the payment provider',
    words:
      'A refund was made in the payment provider’s dashboard. It is in the accounts; the session has not changed.',
  },
  capture: {
    subject: 'A payment was captured at the payment provider',
    words:
      'A payment was captured in the payment provider’s dashboard before its session was booked. It is in the accounts, and is refunded automatically if the session is not booked.',
  },
  release: {
    subject: 'A booked session is not paid',
    words: 'The authorisation of a booked session ended at the payment provider before the money was taken.',
  },
  refund_failed: {
    subject: 'A refund did not reach the card',
    words: 'A bank has sent a refund back. The client still has to get the money, in another way.',
  },
  dispute: {
    subject: 'A payment is disputed',
    words:
      'A client has asked their bank to take a payment back. Please answer it at the payment provider in time. What is owed for it is withheld until it is decided.',
  },
  mismatch: {
    subject: 'The payment provider and our accounts disagree',
    words:
      'The payment provider shows something different for a payment from our accounts, and nothing explains it.',
  },
}

/** The same of what a practitioner paid Hearth, where it is not about a session. */
const ofCharge: Partial<typeof what> = {
  refund: {
    subject: 'A refund was made at the payment provider',
    words:
      'A refund of a practitioner’s payment to Hearth was made in the payment provider’s dashboard. It is in the accounts, and the practitioner has been emailed.',
  },
  release: {
    subject: 'A practitioner’s payment was not taken',
    words:
      'The authorisation of a practitioner’s payment to Hearth ended at the payment provider before the money was taken.',
  },
  refund_failed: {
    subject: 'A refund did not reach the card',
    words: 'A bank has sent a refund back. The practitioner still has to get the money, in another way.',
  },
  dispute: {
    subject: 'A payment is disputed',
    words:
      'A practitioner’s bank asks for a payment to Hearth back. Please answer it at the payment provider in time.',
  },
}

/** To the back office: something happened at the payment provider. Whom it is about stands behind the sign-in alone. */
export function incidentMail(
  to: string,
  {
    kind,
    reference,
    dispute,
    paid_for,
  }: Pick<GatewayIncident, 'kind' | 'reference' | 'dispute' | 'paid_for'>,
  publicUrl: string,
): Mail {
  const isLost = dispute === 'lost'
  const isCharge = paid_for === 'subscription' || paid_for === 'video_production'
  const { subject, words } = (isCharge && ofCharge[kind]) || what[kind]
  return mailToAdmin({
    to,
    publicUrl,
    subject: isLost ? 'A dispute is lost' : subject,
    paragraphs: [
      !isLost
        ? words
        : isCharge
          ? 'A bank has decided a dispute in favour of the practitioner whose card it is. Hearth pays for it.'
          : 'A bank has decided a dispute in its client’s favour. Please decide who pays for it: until then, what is owed for the session is withheld.',
    ],
    details: [{ label: 'At the payment provider', value: reference }],
    link: { text: 'See what is to be decided', path: '/admin/payments' },
  })
}
