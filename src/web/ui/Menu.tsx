import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { fetchAhead, latePart } from '../lib/late-part.tsx'
import { useLate } from '../lib/use-late.ts'
import { pressed } from './Button.tsx'
import type { MenuListProps } from './MenuList.tsx'
import { Spinner } from './Spinner.tsx'
import { showToast } from './Toast.tsx'

export type MenuProps = Pick<MenuListProps, 'label' | 'heading' | 'entries'> & {
  /** The name of the button that opens it. */
  buttonLabel: string
  /** The look of the button. */
  className: string
  /** What stands on the button before its icon. */
  children?: ReactNode
  /** A spinner takes its place while the menu is on its way. */
  icon: ReactNode
  /** The button, for a caller that gives it the focus. */
  trigger?: RefObject<HTMLButtonElement | null>
}

/** Every page of a signed-in person has a menu, and few of them open it: the kit that it stands on comes when it is opened. */
const MenuList = latePart(() => import('./MenuList.tsx'))

/** A list of things to do or places to go, behind a button. */
export function Menu({
  label,
  heading,
  entries,
  buttonLabel,
  className,
  children,
  icon,
  ...props
}: MenuProps) {
  const ownTrigger = useRef<HTMLButtonElement>(null)
  const button = props.trigger ?? ownTrigger
  /** Which entry the focus is on at first; undefined while it is closed. */
  const [focus, setFocus] = useState<MenuListProps['focus']>()
  const isOpen = focus !== undefined
  const [isLoaded, setLoaded] = useState(() => MenuList.isLoaded())
  const isPending = useLate(isOpen && !isLoaded, 80)
  async function open(at: MenuListProps['focus']): Promise<void> {
    setFocus(at)
    try {
      await MenuList.load()
      setLoaded(true)
    } catch {
      setFocus(undefined)
      showToast('The menu did not open. Please check your connection and press again.', 'warning')
    }
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={buttonLabel}
        aria-haspopup="menu"
        aria-expanded={isOpen && isLoaded}
        aria-busy={isPending || undefined}
        className={className}
        // A press by keyboard counts no clicks.
        onClick={(event) => pressed(() => void open(event.detail === 0 ? 'first' : 'none'))(event)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          void open(event.key === 'ArrowDown' ? 'first' : 'last')
        }}
        onPointerEnter={() => fetchAhead(MenuList)}
        onFocus={() => fetchAhead(MenuList)}
      >
        {children}
        {isPending ? <Spinner label="Opening" size={18} /> : icon}
      </button>
      {isOpen && (
        <MenuList
          {...{ trigger: button, label, heading, entries, focus, onClose: () => setFocus(undefined) }}
        />
      )}
    </>
  )
}
