import { type ReactNode, Suspense } from 'react'
import { Link, useLocation } from 'react-router'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { useSession } from '#web/lib/session.ts'
import { foundTherapistsPath, getHelpPath, siteName } from '#web/lib/site.ts'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { BurgerMenu } from './BurgerMenu.tsx'

/** Visitors never see it, so they need not load it. */
const AccountNavigation = lazyPart(() => import('./AccountNavigation.tsx'))

/** Where there is one thing to do, the way elsewhere is the logo. */
const entrance = /^\/((therapist|admin)\/)?sign-(in|up)\/?$/

/** `chats`: the link to the signed-in account's chats. `shortlist`: the link to a visitor's shortlist. */
export function Header({ chats, shortlist }: { chats: ReactNode; shortlist: ReactNode }) {
  const { pathname, key } = useLocation()
  const session = useSession()
  return (
    <header className="relative z-30 border-b border-line bg-paper">
      <div className="header-row page">
        <Link
          to="/"
          aria-label={`${siteName}, to the home page`}
          className="flex min-h-11 items-center rounded-md no-underline"
        >
          <Logo />
        </Link>
        {!entrance.test(pathname) && (
          <>
            <nav aria-label="Main" className="hidden grow items-center justify-between gap-6 lg:flex">
              <div className="flex items-center gap-7">
                <TextLink to={foundTherapistsPath} tone="plain" className="tappable font-semibold">
                  Find a Therapist or Psychiatrist
                </TextLink>
                {/* Practitioners and admins have no use for it. While the session is unknown, it is shown. */}
                {session.role !== 'therapist' && session.role !== 'admin' && (
                  <TextLink to={getHelpPath} tone="plain" className="tappable font-semibold">
                    Get help right now
                  </TextLink>
                )}
              </div>
              {/* As wide for a visitor as for a signed-in account, so that nothing moves when the session is known. */}
              <div className="flex min-w-76 items-center justify-end gap-3">
                {session.role === 'anonymous' ? (
                  <>
                    {shortlist}
                    <EntranceLinks />
                  </>
                ) : (
                  <Suspense>
                    {chats}
                    <AccountNavigation session={session} />
                  </Suspense>
                )}
              </div>
            </nav>
            <div className="ml-auto flex items-center gap-1 lg:hidden">
              <Suspense>{chats}</Suspense>
              <BurgerMenu key={key} session={session} />
            </div>
          </>
        )}
      </div>
    </header>
  )
}

function EntranceLinks() {
  return (
    <>
      <TextLink to="/sign-in" tone="plain" className="tappable px-3 font-semibold">
        Log in
      </TextLink>
      <ButtonLink to="/sign-up" variant="secondary" className="min-h-11">
        Create an account
      </ButtonLink>
    </>
  )
}
