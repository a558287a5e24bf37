import { useQueryClient } from '@tanstack/react-query'
import { type AccountRole, accountPath } from '#web/features/accounts/account-paths.ts'
import { ConfirmMailedLink } from '#web/features/accounts/ConfirmMailedLink.tsx'
import { ownAccountQuery } from '#web/features/accounts/own-profile.ts'
import { signOut } from '#web/features/layout/sign-out.ts'
import { callApi } from '#web/lib/api.ts'
import { rename } from '#web/lib/rename.ts'
import { personOf, readSession, userOf, useSession } from '#web/lib/session.ts'
import { pageTitle } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/Link.tsx'

export const meta = () => [{ title: pageTitle('Your new email') }]

/** Opened from the link in a mail to a new address. */
export default function ConfirmEmail() {
  const queries = useQueryClient()

  /** Reads the account's address again. Returns whether it is another than this tab knew. */
  async function renew(role: AccountRole): Promise<boolean> {
    const known = personOf(readSession())?.email
    // Not `fetchQuery`: its key names the address that may have been replaced.
    const user = await (role === 'client'
      ? callApi('GET /client/profile')
      : callApi('GET /therapist/account'))
    rename(userOf({ user }))
    await queries.invalidateQueries({ queryKey: ownAccountQuery(role).queryKey })
    return user.email !== known
  }

  return (
    <ConfirmMailedLink
      title="Your new email"
      signInLead="Log in with your current email, and this address takes its place."
      failedTitle="Your email was not changed"
      success={{
        title: 'Your email is changed',
        words: 'Log in with this address from now on. Our emails come here too.',
      }}
      maybeDone="Your email may be changed already"
      onConfirm={async (role, token) => {
        await callApi(`POST /${role}/confirm-email`, { body: { token } })
        // If it fails, the header shows the old address until the next sign-in.
        await renew(role).catch(() => undefined)
      }}
      // The link to an address does not tell which. If this tab does not know the present one, an earlier try was carried out.
      isDone={renew}
      another={<AnotherLink />}
      onSignOut={(next) => void signOut(next)}
    />
  )
}

function AnotherLink() {
  const { role } = useSession()
  const account = accountPath(role === 'therapist' ? 'therapist' : 'client', 'account')
  return (
    <ButtonLink to={`${account}/email`} variant="secondary">
      Ask for another link
    </ButtonLink>
  )
}
