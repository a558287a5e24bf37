import { IconMenu2, IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { personOf, type Session } from '#web/lib/session.ts'
import { foundTherapistsPath, getHelpPath, shortlistPath } from '#web/lib/site.ts'
import { TextLink } from '#web/ui/Link.tsx'
import { accountLinks, type NavigationLink, openLinks } from './navigation.ts'
import { signOut } from './sign-out.ts'

/**
 * The whole navigation behind one button, below 992px. The browser's own disclosure, so it opens without JavaScript. Keyed
 * by the place, it closes when one goes elsewhere.
 */
export function BurgerMenu({ session }: { session: Session }) {
  const details = useRef<HTMLDetailsElement>(null)
  const person = personOf(session)

  useEffect(() => {
    const closeOutside = ({ target }: Event) => {
      if (!details.current?.contains(target as Node)) close(details.current)
    }
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !details.current?.open) return
      close(details.current)
      details.current.querySelector('summary')?.focus()
    }
    const left = new AbortController()
    document.addEventListener('pointerdown', closeOutside, left)
    // By Tab too: the menu would cover what has the focus.
    document.addEventListener('focusin', closeOutside, left)
    document.addEventListener('keydown', closeByKey, left)
    return () => left.abort()
  }, [])

  return (
    <details ref={details} className="group">
      <summary className="target -mr-2 grid list-none place-items-center rounded-full hover:bg-sunken">
        <span className="sr-only">Menu</span>
        <IconMenu2 aria-hidden size={26} className="group-open:hidden" />
        <IconX aria-hidden size={26} className="hidden group-open:block" />
      </summary>
      <nav
        aria-label="Main"
        className="absolute inset-x-0 top-full max-h-[80vh] animate-appear overflow-y-auto border-y border-line bg-surface shadow-high"
      >
        <ul className="page flex flex-col py-3">
          {person && (
            <li className="border-b border-line pt-1 pb-3">
              <span className="block font-semibold">{`${person.firstName} ${person.lastName}`.trim()}</span>
              <span className="block truncate text-sm text-soft">{person.email}</span>
            </li>
          )}
          {menuLinks(session).map((link) => (
            <li key={link.to}>
              <TextLink to={link.to} tone="plain" className="flex min-h-12 items-center text-lg">
                {link.label}
              </TextLink>
            </li>
          ))}
          {session.role !== 'anonymous' && (
            <li className="mt-2 border-t border-line pt-2">
              <button
                type="button"
                onClick={() => void signOut()}
                className="flex min-h-12 w-full items-center text-lg hover:underline"
              >
                Logout
              </button>
            </li>
          )}
        </ul>
      </nav>
    </details>
  )
}

function close(details: HTMLDetailsElement | null): void {
  if (details) details.open = false
}

function menuLinks(session: Session): NavigationLink[] {
  const find = { to: foundTherapistsPath, label: 'Find a Therapist or Psychiatrist' }
  const help = { to: getHelpPath, label: 'Get help right now' }
  if (session.role === 'anonymous') {
    return [
      find,
      help,
      { to: shortlistPath, label: 'Shortlist' },
      { to: '/my-sessions', label: 'My Sessions' },
      { to: '/sign-in', label: 'Log in' },
      { to: '/sign-up', label: 'Create an account' },
    ]
  }
  return openLinks([
    find,
    ...(session.role === 'client' ? [help] : []),
    { to: '/chats', label: 'Chats' },
    ...accountLinks(session),
  ])
}
