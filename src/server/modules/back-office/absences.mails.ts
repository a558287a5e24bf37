import type { Mail } from '../../integrations/mail/port.ts'
import { mailToAdmin } from '../../integrations/mail/recipients.ts'

/** To the back office: a practitioner repeatedly did not come. The name is behind the sign-in. */
export function absenceMail(
  to: string,
  { practitioner_id: id }: { practitioner_id: number },
  publicUrl: string,
): Mail {
  return mailToAdmin({
    to,
    publicUrl,
    subject: 'A practitioner did not come, for the second time in 30 days',
    paragraphs: [
      'A client waited alone in the room for the second time within 30 days. Both sessions are cancelled and refunded, and both clients have been written to.',
      'Please call the practitioner and ask whether they are well. Further sessions are booked as usual until you decide otherwise.',
    ],
    details: [{ label: 'Practitioner', value: String(id) }],
    link: { text: 'See the absences', path: '/admin/no-shows' },
  })
}
