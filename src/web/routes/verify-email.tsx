import { useQueryClient } from '@tanstack/react-query'
import { ConfirmMailedLink } from '#web/features/accounts/ConfirmMailedLink.tsx'
import { ownAccountQuery } from '#web/features/accounts/own-profile.ts'
import { UnconfirmedEmail } from '#web/features/accounts/UnconfirmedEmail.tsx'
import { signOut } from '#web/features/layout/sign-out.ts'
import { callApi } from '#web/lib/api.ts'
import { pageTitle } from '#web/lib/site.ts'

export const meta = () => [{ title: pageTitle('Confirm your email') }]

/** Opened from the link in the first mail, or in one that was asked for again. */
export default function VerifyEmail() {
  const queries = useQueryClient()
  return (
    <ConfirmMailedLink
      title="Confirm your email"
      signInLead="Log in to confirm your email, so that nobody else can confirm it for you."
      failedTitle="This link did not confirm your email"
      success={{
        title: 'Your email is confirmed',
        words: 'Our emails now say when your sessions are and who they are with.',
      }}
      maybeDone="Your email may be confirmed already"
      onConfirm={async (role, token) => {
        await callApi(`POST /${role}/verify-email`, { body: { token } })
        await queries.invalidateQueries({ queryKey: ownAccountQuery(role).queryKey })
      }}
      isDone={async (role) => {
        const account = await queries.fetchQuery({ ...ownAccountQuery(role), staleTime: 0 })
        return account.email_verified
      }}
      another={<UnconfirmedEmail />}
      onSignOut={(next) => void signOut(next)}
    />
  )
}
