import { IconChevronDown } from '@tabler/icons-react'
import { Button } from 'react-aria-components/Button'
import { personOf, type SignedIn } from '#web/lib/session.ts'
import { Menu, MenuDivider, MenuItem } from '#web/ui/Menu.tsx'
import { accountLinks } from './navigation.ts'
import { signOut } from './sign-out.ts'

/** The account menu of the signed-in client, practitioner or admin. */
export default function AccountNavigation({ session }: { session: SignedIn }) {
  const person = personOf(session)
  const links = accountLinks(session)
  return (
    <>
      <Menu
        label="Account"
        trigger={
          <Button
            aria-label={`${person?.firstName}, account`}
            className="inline-flex min-h-11 max-w-56 items-center gap-1.5 rounded-full border border-edge bg-surface px-4 font-semibold transition-colors hover:border-ink"
          >
            <span className="truncate">{person?.firstName}</span>
            <IconChevronDown aria-hidden size={18} className="shrink-0" />
          </Button>
        }
        heading={
          <>
            <span className="block font-semibold text-ink">
              {`${person?.firstName} ${person?.lastName}`.trim()}
            </span>
            <span className="block truncate text-sm font-normal text-soft">{person?.email}</span>
          </>
        }
      >
        {links.map((link) => (
          <MenuItem key={link.to} href={link.to}>
            {link.label}
          </MenuItem>
        ))}
        {links.length > 0 && <MenuDivider />}
        <MenuItem onAction={() => void signOut()}>Logout</MenuItem>
      </Menu>
    </>
  )
}
