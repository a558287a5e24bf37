import { type AccountRole, accountPath, useAccountRole } from '#web/features/accounts/account-paths.ts'
import { ConfirmLink } from '#web/features/accounts/ConfirmLink.tsx'
import { callApi } from '#web/lib/api.ts'
import { readSession, renewPerson, useSession } from '#web/lib/session.ts'
import { pageTitle } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/Link.tsx'

export const meta = () => [{ title: pageTitle('Your new email') }]

/** Opened from the link in a mail to a new address. */
export default function ConfirmEmail() {
  const session = useSession()
  const role = useAccountRole()
  const account = accountPath(role, 'account')
  const signIn = accountPath(role, 'sign-in')
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
          session.role === role ? (
            <ButtonLink to={account}>Go to your account</ButtonLink>
          ) : (
            <ButtonLink to={`${signIn}?return_to=${encodeURIComponent(account)}`}>Log in</ButtonLink>
          ),
      }}
      onConfirm={async (token) => {
        await callApi(`POST /${role}/confirm-email`, { body: { token } })
        await readAgain(role)
      }}
    />
  )
}

/** Whoever is signed in in this tab may be the one whose address it is. */
async function readAgain(role: AccountRole): Promise<void> {
  if (readSession().role !== role) return
  try {
    renewPerson({
      user: await (role === 'client' ? callApi('GET /client/profile') : callApi('GET /therapist/account')),
    })
  } catch {
    // The header then shows the old address until the next sign-in.
  }
}
