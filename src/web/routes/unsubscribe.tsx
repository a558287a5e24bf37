import { useSearchParams } from 'react-router'
import { ConfirmLink } from '#web/features/accounts/ConfirmLink.tsx'
import { callApi } from '#web/lib/api.ts'
import { pageTitle } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/Link.tsx'

export const meta = () => [{ title: pageTitle('No more of these mails') }]

/** Opened from the link in a mail about unread messages, or in a reminder. Needs no sign-in. */
export default function Unsubscribe() {
  const [search] = useSearchParams()
  return (
    <ConfirmLink
      title="No more of these mails"
      lead={
        search.get('about') === 'reminders'
          ? 'One press, and we remind you of sessions no more. Mails that one is booked, moved or cancelled still come.'
          : 'One press, and we send you no more mails about unread messages. Mails about your sessions still come.'
      }
      confirmLabel="Turn these mails off"
      failedTitle="The mails are still on"
      done={{
        title: 'These mails are off',
        words: 'You can turn them on again on your account page, under “Mails and notices”.',
        actions: <ButtonLink to="/">Go to the home page</ButtonLink>,
      }}
      onConfirm={(token) => callApi('POST /notices/unsubscribe', { body: { token } })}
    />
  )
}
