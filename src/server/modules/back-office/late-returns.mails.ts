import type { LateReturn } from '#contract/back-office/payments.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import { mailToAdmin } from '../../integrations/mail/recipients.ts'

const zone = 'Europe/London'

/** To the back office: clients are waiting for their money. Whose it is stands behind the sign-in alone. */
export function lateReturnsMail(
  to: string,
  { first, total }: { first: LateReturn; total: number },
  publicUrl: string,
): Mail {
  const isOne = total === 1
  const [subject, what] = isOne
    ? ['A refund is late', 'A refund has been on its way to a client']
    : [`${total} refunds are late`, `${total} refunds have been on their way to clients`]
  return mailToAdmin({
    to,
    publicUrl,
    subject,
    paragraphs: [
      `${what} for more than 20 hours. It is promised within 24 hours.`,
      'The system keeps trying. Please check with the payment provider.',
    ],
    details: [{ label: isOne ? 'Promised by' : 'First one promised by', value: moment(first.promised_by) }],
    link: { text: 'See what is late', path: '/admin/payments' },
  })
}

/** 21 November 2026 at 14:03 GMT. */
const moment = (instant: string) =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
    timeZone: zone,
  }).format(new Date(instant))
