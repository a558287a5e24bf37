import type { Mail, Sender } from '../../integrations/mail/port.ts'
import { mailToHolder } from '../../integrations/mail/recipients.ts'
import { signInUrl } from '../../integrations/mail/format.ts'

type CalendarEnded = {
  /** Of the connection. */
  id: string
  to: { email: string; firstName: string; verified: boolean }
  why: 'revoked' | 'removed'
  /** The Google account. */
  email: string
  endedAt: Date
}

/** That a practitioner's calendar is connected no more, though they did not say so here. */
export function calendarEndedMail(
  { id, to, why, email, endedAt }: CalendarEnded,
  { sender, publicUrl }: { sender: Sender; publicUrl: string },
): Mail {
  const url = signInUrl(publicUrl, 'therapist', '/therapist/calendar')
  const cause =
    why === 'revoked'
      ? `Google no longer lets us use the calendar of ${email}. Our access may have been removed in the settings of that account, or it has run out.`
      : `The calendar “Hearth” in the Google account ${email}, which we added your sessions to, is no longer there.`
  const mail = mailToHolder(to, { role: 'therapist', url, publicUrl }, () => ({
    subject: 'Your Google Calendar is no longer connected',
    paragraphs: [
      cause,
      'Your sessions on Hearth stay as they are. But new ones are not added to your calendar, and what you enter there from now on does not stop clients from booking. Times we had already read stay blocked until they have passed.',
    ],
    link: { text: 'Connect it again', url },
    closing: ['If you meant to disconnect it, press “Disconnect” there, and we delete the rest.'],
    reason: 'You are getting this email because your Google Calendar was connected to Hearth.',
  }))
  const messageId = `calendar-${id}-${endedAt.getTime()}@${sender.address.split('@').at(-1)}`
  return { ...mail, messageId, date: endedAt }
}
