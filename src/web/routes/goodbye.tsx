import { Navigate } from 'react-router'
import { useSession } from '#web/lib/session.ts'
import { pageTitle } from '#web/lib/site.ts'
import { TwoHearths } from '#web/ui/illustrations/TwoHearths.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'

export const meta = () => [
  { title: pageTitle('Your account is deleted') },
  { name: 'robots', content: 'noindex' },
]

/** The page after an account was deleted. A signed-in client is redirected, because theirs is not. */
export default function Goodbye() {
  const session = useSession()
  if (session.role === 'client') return <Navigate to="/account" replace />
  return (
    <div className="page flex max-w-xl flex-col items-start gap-6 py-10 sm:py-16">
      <TwoHearths className="w-48" />
      <h1 className="text-3xl">Your account is deleted</h1>
      <div className="flex flex-col gap-3 text-lg text-soft">
        <p>
          What we knew about you is gone, and every device is signed out. We will send you one last email to
          confirm it. <TextLink to="/privacy-policy#deleted">What the law requires us to keep</TextLink> no
          longer has your name.
        </p>
        <p>Thank you for trusting us. You are welcome back at any time.</p>
      </div>
      <ButtonLink to="/" variant="secondary">
        Go to the home page
      </ButtonLink>
    </div>
  )
}
