import { ConfirmLink } from '#web/features/accounts/ConfirmLink.tsx'
import { callApi } from '#web/lib/api.ts'
import { pageTitle } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/Link.tsx'

export const meta = () => [{ title: pageTitle('Confirm your email') }]

/** Opened from the link in the first mail. */
export default function VerifyEmail() {
  return (
    <ConfirmLink
      title="Confirm your email"
      lead="One press, and mails about your sessions can carry their details."
      confirmLabel="Confirm my email"
      failedTitle="Your email is not confirmed yet"
      done={{
        title: 'Your email is confirmed',
        words: 'Mails about your sessions now say who and when.',
        actions: <ButtonLink to="/">Go to the home page</ButtonLink>,
      }}
      onConfirm={async (token) => {
        await callApi('POST /client/verify-email', { body: { token } })
      }}
    />
  )
}
