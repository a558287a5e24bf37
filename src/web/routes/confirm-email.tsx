import { useQueryClient } from '@tanstack/react-query'
import { accountPath } from '#web/features/accounts/account-paths.ts'
import { ConfirmMailedLink } from '#web/features/accounts/ConfirmMailedLink.tsx'
import { ownAccountQuery } from '#web/features/accounts/own-profile.ts'
import { signOut } from '#web/features/layout/sign-out.ts'
import { callApi } from '#web/lib/api.ts'
import { renewPerson, useSession } from '#web/lib/session.ts'
import { pageTitle } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/Link.tsx'

export const meta = () => [{ title: pageTitle('Your new email') }]

/** Opened from the link in a mail to a new address. */
export default function ConfirmEmail() {
  const queries = useQueryClient()
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
        try {
          // Not `fetchQuery`: its key names the address that has just been replaced.
          const user = await (role === 'client'
            ? callApi('GET /client/profile')
            : callApi('GET /therapist/account'))
          renewPerson({ user })
          await queries.invalidateQueries({ queryKey: ownAccountQuery(role).queryKey })
        } catch {
          // The header then shows the old address until the next sign-in.
        }
      }}
      // The link to an address does not tell which: whether it is the present one, the account page shows.
      isDone={() => Promise.resolve(false)}
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
