import { IconChevronDown } from '@tabler/icons-react'
import { personOf, type SignedIn } from '#web/lib/session.ts'
import { Menu } from '#web/ui/Menu.tsx'
import type { MenuEntry } from '#web/ui/MenuList.tsx'
import { accountLinks } from './navigation.ts'
import { signOut } from './sign-out.ts'

/** The account menu of the signed-in client, practitioner or admin. */
export default function AccountNavigation({ session }: { session: SignedIn }) {
  const person = personOf(session)
  const links: MenuEntry[] = accountLinks(session).map(({ to, label }) => ({ href: to, label }))
  return (
    <Menu
      label="Account"
      buttonLabel={`${person?.firstName}, account`}
      className="inline-flex min-h-11 max-w-56 items-center gap-1.5 rounded-full border border-edge bg-surface px-4 font-semibold transition-colors hover:border-ink"
      icon={<IconChevronDown aria-hidden size={18} className="shrink-0" />}
      heading={
        <>
          <span className="block font-semibold text-ink">
            {`${person?.firstName} ${person?.lastName}`.trim()}
          </span>
          <span className="block truncate text-sm font-normal text-soft">{person?.email}</span>
        </>
      }
      entries={[
        ...links,
        ...(links.length > 0 ? (['divider'] as const) : []),
        { label: 'Logout', onAction: () => void signOut() },
      ]}
    >
      <span className="truncate">{person?.firstName}</span>
    </Menu>
  )
}
