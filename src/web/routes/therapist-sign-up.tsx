import { useNavigate } from 'react-router'
import { EntrancePage } from '#web/features/accounts/EntrancePage.tsx'
import { afterSignUp } from '#web/features/accounts/account-paths.ts'
import { SocialEntrance } from '#web/features/accounts/SocialEntrance.tsx'
import { TherapistSignUpForm } from '#web/features/accounts/TherapistSignUpForm.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { TextLink } from '#web/ui/Link.tsx'

export const meta = () => [{ title: pageTitle('Join as a therapist') }]

export default function TherapistSignUp() {
  const navigate = useNavigate()
  const enter = (how: 'signed in' | 'signed up') =>
    void navigate(how === 'signed up' ? afterSignUp('therapist') : '/therapist/dashboard', { replace: true })
  return (
    <EntrancePage
      title="Join as a therapist"
      lead="You set your own prices and keep everything clients pay. Joining is free; the subscription begins once your profile is approved."
      below={
        <div className="flex flex-col gap-1 text-center text-soft">
          <p>
            Already with us? <TextLink to="/therapist/sign-in">Log in as a therapist</TextLink>
          </p>
          <p>
            Looking for someone to talk to? <TextLink to="/sign-up">Create a patient's account</TextLink>
          </p>
        </div>
      }
    >
      <SocialEntrance accountRole="therapist" purpose="sign-up" onEntered={enter}>
        <TherapistSignUpForm onSignedUp={() => enter('signed up')} />
      </SocialEntrance>
    </EntrancePage>
  )
}
