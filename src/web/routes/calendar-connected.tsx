import { useSearchParams } from 'react-router'
import type { CalendarOutcome } from '#contract/calendars.ts'
import { pageTitle } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'

export const meta = () => [{ title: pageTitle('Google Calendar') }, { name: 'robots', content: 'noindex' }]

const words: Record<CalendarOutcome, { title: string; text: string }> = {
  connected: {
    title: 'Your Google Calendar is connected',
    text: 'Your sessions are being added to the calendar “Hearth” there. You can close this tab and go back to where you were.',
  },
  cancelled: {
    title: 'Nothing was connected',
    text: 'You came back without agreeing. You can close this tab, and try again whenever you like.',
  },
  incomplete: {
    title: 'One part is missing',
    text: 'Both boxes on Google’s page have to be ticked: the one for a Hearth calendar, and the one for when you are busy. Please close this tab and try again.',
  },
  other_account: {
    title: 'That is another Google account',
    text: 'One is connected already. Disconnect it on your calendar page first, then connect the other one.',
  },
  expired: {
    title: 'This took too long, or was started elsewhere',
    text: 'Nothing was connected. Please start again on your calendar page, in this browser.',
  },
  failed: {
    title: 'This did not work',
    text: 'Google did not let us in, or is not answering at the moment. Nothing was connected. Please try again in a few minutes.',
  },
}

/** Where Google sends a practitioner back to, in the tab that was opened for it. That tab has no session. */
export default function CalendarConnected() {
  const [search] = useSearchParams()
  const outcome = search.get('outcome')
  const { title, text } =
    words[outcome !== null && Object.hasOwn(words, outcome) ? (outcome as CalendarOutcome) : 'failed']
  return (
    <div className="page flex max-w-xl flex-col gap-6 py-10 sm:py-16">
      <h1 className="text-3xl">Google Calendar</h1>
      <Alert tone={outcome === 'connected' ? 'success' : 'warning'} title={title}>
        {text}
      </Alert>
      <div>
        <ButtonLink to="/therapist/calendar" variant="secondary">
          Open your calendar page here
        </ButtonLink>
      </div>
    </div>
  )
}
