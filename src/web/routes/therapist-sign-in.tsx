import { useNavigate, useSearchParams } from 'react-router'
import { EntrancePage, PasswordChanged } from '#web/features/accounts/EntrancePage.tsx'
import { afterSignUp } from '#web/features/accounts/account-paths.ts'
import { SignInForm } from '#web/features/accounts/SignInForm.tsx'
import { SocialEntrance } from '#web/features/accounts/SocialEntrance.tsx'
import { useGoOn } from '#web/lib/guard.ts'
import { isForBothRoles, safeReturnPath } from '#web/lib/return-to.ts'
import { isOpen, pageTitle } from '#web/lib/site.ts'
import { TextLink } from '#web/ui/Link.tsx'

export const meta = () => [{ title: pageTitle('Therapist log in') }]

const dashboard = '/therapist/dashboard'

export default function TherapistSignIn() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const returnTo = safeReturnPath(search.get('return_to'), isOpen(dashboard) ? dashboard : '/')
  useGoOn('therapist', returnTo)
  const enter = (how: 'signed in' | 'signed up') =>
    void navigate(how === 'signed up' ? afterSignUp('therapist') : returnTo, { replace: true })
  return (
    <EntrancePage
      title="Login as therapist"
      below={
        <div className="flex flex-col gap-1 text-center text-soft">
          {isOpen('/therapist/sign-up') && (
            <p>
              New here? <TextLink to="/therapist/sign-up">Join as a therapist</TextLink>
            </p>
          )}
          <p>
            Looking for someone to talk to?{' '}
            <TextLink to={isForBothRoles(returnTo) ? `/sign-in?${search}` : '/sign-in'}>
              Log in as a patient
            </TextLink>
          </p>
        </div>
      }
    >
      <PasswordChanged />
      <SocialEntrance accountRole="therapist" purpose="sign-in" onEntered={enter}>
        <SignInForm accountRole="therapist" onSignedIn={() => enter('signed in')} />
      </SocialEntrance>
    </EntrancePage>
  )
}
