import { writeMail } from '../../integrations/mail/layout.ts'
import type { Mail } from '../../integrations/mail/port.ts'

/** To the back office: a practitioner repeatedly did not come. The name is behind the sign-in. */
export function absenceMail(
  to: string,
  { practitioner_id: id }: { practitioner_id: number },
  publicUrl: string,
): Mail {
  return writeMail({
    to,
    subject: 'A practitioner did not come, for the second time in 30 days',
    greeting: 'Hello,',
    paragraphs: [
      'A client waited alone in the room for the second time within 30 days. Both sessions are cancelled and refunded, and both clients have been written to.',
      'Please call the practitioner and ask whether they are well. Further sessions are booked as usual until you decide otherwise.',
    ],
    details: [{ label: 'Practitioner', value: String(id) }],
    link: {
      text: 'See the absences',
      url: `${publicUrl}/admin/sign-in?return_to=${encodeURIComponent('/admin/no-shows')}`,
    },
    reason: 'You are getting this email because you look after Hearth.',
  })
}
