import type { ReactNode, RefObject } from 'react'
import { RouterProvider } from 'react-aria-components'
import { Header } from 'react-aria-components/Header'
import { Menu as AriaMenu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { useNavigate } from 'react-router'
import { BritishEnglish } from './BritishEnglish.tsx'

/** A place to go to, something to do, or the line before the next group. */
export type MenuEntry =
  | { label: string; href: string; onAction?: undefined; isDangerous?: boolean }
  | { label: string; href?: undefined; onAction(): void; isDangerous?: boolean }
  | 'divider'

export type MenuListProps = {
  /** The button that has opened it. */
  trigger: RefObject<HTMLButtonElement | null>
  label: string
  heading?: ReactNode
  entries: readonly MenuEntry[]
  /** Which entry has the focus at first; by a pointer none has. */
  focus: 'first' | 'last' | 'none'
  onClose(): void
}

/** The entries of an open menu. Escape, a choice and a press outside close it. */
export default function MenuList({ trigger, label, heading, entries, focus, onClose }: MenuListProps) {
  const navigate = useNavigate()
  const list = entries.map((entry) =>
    entry === 'divider' ? (
      <Separator key={entry} className="mx-2 my-1.5 border-t border-line" />
    ) : (
      <MenuItem
        key={entry.label}
        href={entry.href}
        onAction={entry.onAction}
        textValue={entry.label}
        className={`flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 no-underline outline-none data-focused:bg-action-soft data-focused:text-on-action-soft forced-colors:data-focused:outline-solid ${entry.isDangerous ? 'text-danger' : 'text-ink'}`}
      >
        {entry.label}
      </MenuItem>
    ),
  )
  return (
    <BritishEnglish>
      <RouterProvider navigate={(path) => void navigate(path)}>
        <Popover
          isOpen
          onOpenChange={(isOpen) => !isOpen && onClose()}
          triggerRef={trigger}
          aria-label={label}
          placement="bottom end"
          className="min-w-60 max-w-[min(22rem,calc(100vw-2rem))] rounded-lg border border-line bg-raised p-1.5 shadow-high data-entering:animate-appear"
        >
          <AriaMenu
            aria-label={label}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- what has been opened takes the focus
            autoFocus={focus === 'none' || focus}
            onClose={onClose}
            className="outline-none"
          >
            {heading ? (
              <MenuSection>
                <Header className="mb-1.5 border-b border-line px-3 pt-1.5 pb-3">{heading}</Header>
                {list}
              </MenuSection>
            ) : (
              list
            )}
          </AriaMenu>
        </Popover>
      </RouterProvider>
    </BritishEnglish>
  )
}
