import { useNavigate, useSearchParams } from 'react-router'
import { EntrancePage } from '#web/features/accounts/EntrancePage.tsx'
import { afterSignUp } from '#web/features/accounts/account-paths.ts'
import { SignUpForm } from '#web/features/accounts/SignUpForm.tsx'
import { SocialEntrance } from '#web/features/accounts/SocialEntrance.tsx'
import { ChosenBeforeSignIn } from '#web/features/bookings/ChosenBeforeSignIn.tsx'
import { safeReturnPath } from '#web/lib/return-to.ts'
import { isOpen, pageTitle } from '#web/lib/site.ts'
import { TextLink } from '#web/ui/Link.tsx'

export const meta = () => [{ title: pageTitle('Create an account') }]

export default function SignUp() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const returnTo = safeReturnPath(search.get('return_to'))
  const enter = (how: 'signed in' | 'signed up') =>
    void navigate(how === 'signed up' ? afterSignUp('client', returnTo) : returnTo, { replace: true })
  return (
    <EntrancePage
      title="Create an account"
      lead="It is free. You only pay for sessions you book."
      above={<ChosenBeforeSignIn returnTo={returnTo} />}
      below={
        <div className="flex flex-col gap-1 text-center text-soft">
          <p>
            Already have an account?{' '}
            <TextLink to={returnTo === '/' ? '/sign-in' : `/sign-in?${search}`}>Log in</TextLink>
          </p>
          {isOpen('/therapist/sign-up') && (
            <p>
              Are you a therapist? <TextLink to="/therapist/sign-up">Join as a therapist</TextLink>
            </p>
          )}
        </div>
      }
    >
      <SocialEntrance accountRole="client" purpose="sign-up" onEntered={enter}>
        <SignUpForm onSignedUp={() => enter('signed up')} />
      </SocialEntrance>
    </EntrancePage>
  )
}
