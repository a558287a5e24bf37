import { useSearchParams } from 'react-router'
import { ConfirmLink } from '#web/features/accounts/ConfirmLink.tsx'
import { callApi } from '#web/lib/api.ts'
import { pageTitle } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/Link.tsx'

export const meta = () => [{ title: pageTitle('Stop these emails') }]

/** Opened from the link in a mail about unread messages, or in a reminder. Needs no sign-in. */
export default function Unsubscribe() {
  const [search] = useSearchParams()
  return (
    <ConfirmLink
      title="Stop these emails"
      lead={
        search.get('about') === 'reminders'
          ? 'Press the button and we stop sending session reminders. We still email you when a session is booked, moved or cancelled.'
          : 'Press the button and we stop emailing you about unread messages. Emails about your sessions still come.'
      }
      confirmLabel="Turn these emails off"
      failedTitle="The emails are still on"
      success={{
        title: 'These emails are off',
        words: 'You can turn them on again on your account page, under “Emails and notifications”.',
        actions: <ButtonLink to="/">Go to the home page</ButtonLink>,
      }}
      onConfirm={(token) => callApi('POST /notices/unsubscribe', { body: { token } })}
    />
  )
}
