import { ConfirmLink } from '#web/features/accounts/ConfirmLink.tsx'
import { callApi } from '#web/lib/api.ts'
import { readSession, renewPerson, useSession } from '#web/lib/session.ts'
import { pageTitle } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/Link.tsx'

export const meta = () => [{ title: pageTitle('Your new email') }]

/** Opened from the link in a mail to a new address. */
export default function ConfirmEmail() {
  const session = useSession()
  return (
    <ConfirmLink
      title="Your new email"
      lead="One press, and this address is the one you log in with."
      confirmLabel="Use this address"
      failedTitle="Your email is not changed"
      done={{
        title: 'Your email is changed',
        words: 'Log in with this address from now on. Our mails come here too.',
        actions:
          session.role === 'client' ? (
            <ButtonLink to="/account">Go to your account</ButtonLink>
          ) : (
            <ButtonLink to="/sign-in?return_to=%2Faccount">Log in</ButtonLink>
          ),
      }}
      onConfirm={async (token) => {
        await callApi('POST /client/confirm-email', { body: { token } })
        await readAgain()
      }}
    />
  )
}

/** Whoever is signed in in this tab may be the one whose address it is. */
async function readAgain(): Promise<void> {
  if (readSession().role !== 'client') return
  try {
    renewPerson({ user: await callApi('GET /client/profile') })
  } catch {
    // The header then shows the old address until the next sign-in.
  }
}
