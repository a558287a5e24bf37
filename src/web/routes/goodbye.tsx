import { Navigate, redirect } from 'react-router'
import { isAccountDeleted } from '#web/features/accounts/account-deleted.ts'
import { readSession, type Session, useSession } from '#web/lib/session.ts'
import { pageTitle } from '#web/lib/site.ts'
import { TwoHearths } from '#web/ui/illustrations/TwoHearths.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'

export const meta = () => [
  { title: pageTitle('Your account is deleted') },
  { name: 'robots', content: 'noindex' },
]

const homes: Record<Session['role'], string> = {
  anonymous: '/',
  client: '/account',
  therapist: '/therapist/account',
  admin: '/admin',
}

export function clientLoader() {
  const { role } = readSession()
  if (role !== 'anonymous' || !isAccountDeleted()) throw redirect(homes[role])
  return null
}

export function HydrateFallback() {
  return <div className="page py-10" />
}

/** The page after an account was deleted in this tab. Other readers are redirected: their account still exists. */
export default function Goodbye() {
  const { role } = useSession()
  if (role !== 'anonymous') return <Navigate to={homes[role]} replace />
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
