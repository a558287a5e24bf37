import { useNavigate, useSearchParams } from 'react-router'
import { keepDeletionAsked } from '#web/features/accounts/account-deleted.ts'
import { DeletionUnclear } from '#web/features/accounts/DeletionUnclear.tsx'
import { EntrancePage, PasswordChanged } from '#web/features/accounts/EntrancePage.tsx'
import { afterSignUp } from '#web/features/accounts/account-paths.ts'
import { SignInForm } from '#web/features/accounts/SignInForm.tsx'
import { SocialEntrance } from '#web/features/accounts/SocialEntrance.tsx'
import { ChosenBeforeSignIn } from '#web/features/bookings/ChosenBeforeSignIn.tsx'
import { useGoOn } from '#web/lib/guard.ts'
import { isForBothRoles, safeReturnPath } from '#web/lib/return-to.ts'
import { isOpen, pageTitle } from '#web/lib/site.ts'
import { TextLink } from '#web/ui/Link.tsx'

export const meta = () => [{ title: pageTitle('Log in') }]

export default function SignIn() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const returnTo = safeReturnPath(search.get('return_to'))
  useGoOn('client', returnTo)
  const enter = (how: 'signed in' | 'signed up') => {
    keepDeletionAsked(false)
    void navigate(how === 'signed up' ? afterSignUp('client', returnTo) : returnTo, { replace: true })
  }
  return (
    <EntrancePage
      title="Login as patient"
      lead={returnTo === '/' ? undefined : 'Log in to carry on where you were.'}
      above={<ChosenBeforeSignIn returnTo={returnTo} />}
      below={
        <div className="flex flex-col gap-1 text-center text-soft">
          <p>
            New here?{' '}
            <TextLink to={returnTo === '/' ? '/sign-up' : `/sign-up?${search}`}>Create an account</TextLink>
          </p>
          <p>
            Are you a therapist?{' '}
            {isOpen('/therapist/sign-up') && (
              <>
                <TextLink to="/therapist/sign-up">Join Hearth</TextLink> or{' '}
              </>
            )}
            <TextLink to={isForBothRoles(returnTo) ? `/therapist/sign-in?${search}` : '/therapist/sign-in'}>
              {isOpen('/therapist/sign-up') ? 'log in as a therapist' : 'Log in as a therapist'}
            </TextLink>
          </p>
        </div>
      }
    >
      <PasswordChanged />
      <DeletionUnclear />
      <SocialEntrance accountRole="client" purpose="sign-in" onEntered={enter}>
        <SignInForm accountRole="client" onSignedIn={() => enter('signed in')} />
      </SocialEntrance>
    </EntrancePage>
  )
}
