import type { ReactNode } from 'react'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Popover as AriaPopover, type PopoverProps as AriaPopoverProps } from 'react-aria-components/Popover'
import { BritishEnglish } from './BritishEnglish.tsx'

export type PopoverProps = {
  /** The button that opens it. */
  trigger: ReactNode
  label: string
  children: ReactNode
  placement?: AriaPopoverProps['placement']
}

/** A small surface beside a button. Everything in it can be reached by keyboard; Escape closes it. */
export function Popover({ trigger, label, children, placement = 'bottom' }: PopoverProps) {
  return (
    <BritishEnglish>
      <DialogTrigger>
        {trigger}
        <AriaPopover
          placement={placement}
          className="max-w-[min(22rem,calc(100vw-2rem))] rounded-lg border border-line bg-raised p-4 shadow-high data-entering:animate-appear"
        >
          <Dialog aria-label={label} className="outline-none">
            {children}
          </Dialog>
        </AriaPopover>
      </DialogTrigger>
    </BritishEnglish>
  )
}
