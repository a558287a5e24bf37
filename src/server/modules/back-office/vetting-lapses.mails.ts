import type { VettingLapse } from '#contract/back-office/back-office.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import { mailToAdmin } from '../../integrations/mail/recipients.ts'
import { date } from '../../integrations/mail/times.ts'

/** To the back office: vetted facts lapse while sessions are booked for later. Whose they are stands behind the sign-in. */
export function vettingLapseMail(to: string, lapse: VettingLapse, publicUrl: string): Mail {
  const { lapses_at: at, sessions, facts, frozen } = lapse
  const path = `/admin/practitioner?id=${lapse.practitioner_id}`
  const count = sessions === 1 ? 'One session is' : `${sessions} sessions are`
  return mailToAdmin({
    to,
    publicUrl,
    subject:
      frozen > 0
        ? 'Sessions are frozen: documents have lapsed'
        : 'Documents lapse with sessions booked for later',
    paragraphs: [
      `${count} booked for a time when the practitioner’s documents are no longer valid.`,
      `${lapse.is_waiting ? 'A newer document or licence waits for your decision.' : 'Please ask for a newer document or licence.'} Without one, these sessions are frozen when it lapses, and each is cancelled and refunded 72 hours later, or two hours before its start if that is sooner.`,
    ],
    details: [
      ...facts.map(({ name }) => ({ label: 'Lapses', value: name })),
      { label: 'Valid until the end of', value: lastDay(at) },
    ],
    link: { text: 'Open the practitioner', path },
  })
}

const lastDay = (lapsesAt: string) => date(new Date(Date.parse(lapsesAt) - 1), 'Europe/London')
