import type { ReactNode } from 'react'
import { RouterProvider } from 'react-aria-components'
import { Header } from 'react-aria-components/Header'
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection,
  MenuTrigger,
} from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { useNavigate } from 'react-router'
import { BritishEnglish } from './BritishEnglish.tsx'

export type MenuProps = {
  /** The button that opens it: a `Button`, an `IconButton` or React Aria's own. */
  trigger: ReactNode
  label: string
  /** Stands on top, such as whose account it is. */
  heading?: ReactNode
  children: ReactNode
}

/** A list of things to do or places to go, behind a button. */
export function Menu({ trigger, label, heading, children }: MenuProps) {
  const navigate = useNavigate()
  return (
    <BritishEnglish>
      <RouterProvider navigate={(path) => void navigate(path)}>
        <MenuTrigger>
          {trigger}
          <Popover
            placement="bottom end"
            className="min-w-60 max-w-[min(22rem,calc(100vw-2rem))] rounded-lg border border-line bg-raised p-1.5 shadow-high data-entering:animate-appear"
          >
            <AriaMenu aria-label={label} className="outline-none">
              {heading ? (
                <MenuSection>
                  <Header className="mb-1.5 border-b border-line px-3 pt-1.5 pb-3">{heading}</Header>
                  {children}
                </MenuSection>
              ) : (
                children
              )}
            </AriaMenu>
          </Popover>
        </MenuTrigger>
      </RouterProvider>
    </BritishEnglish>
  )
}

export type MenuItemProps = {
  /** Goes there; else `onAction` does something. */
  href?: string
  onAction?(): void
  icon?: ReactNode
  children: string
  isDangerous?: boolean
}

export function MenuItem({ href, onAction, icon, children, isDangerous }: MenuItemProps) {
  return (
    <AriaMenuItem
      href={href}
      onAction={onAction}
      textValue={children}
      className={`flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 no-underline outline-none data-focused:bg-action-soft data-focused:text-on-action-soft forced-colors:data-focused:outline-2 ${isDangerous ? 'text-danger' : 'text-ink'}`}
    >
      {icon}
      {children}
    </AriaMenuItem>
  )
}

export function MenuDivider() {
  return <Separator className="mx-2 my-1.5 border-t border-line" />
}
