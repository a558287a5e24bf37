import { useNavigate, useSearchParams } from 'react-router'
import { EntrancePage } from '#web/features/accounts/EntrancePage.tsx'
import { SignUpForm } from '#web/features/accounts/SignUpForm.tsx'
import { safeReturnPath, withReturnPath } from '#web/lib/return-to.ts'
import { isOpen, pageTitle } from '#web/lib/site.ts'
import { TextLink } from '#web/ui/Link.tsx'

export const meta = () => [{ title: pageTitle('Create an account') }]

export default function SignUp() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const returnTo = safeReturnPath(search.get('return_to'))
  return (
    <EntrancePage
      title="Create an account"
      lead="It is free, and you pay only for sessions that you book."
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
      <SignUpForm
        onSignedUp={() =>
          void navigate(withReturnPath('/send-referal', new URL(returnTo, location.origin)), {
            replace: true,
          })
        }
      />
    </EntrancePage>
  )
}
