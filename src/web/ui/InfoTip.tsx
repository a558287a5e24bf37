import { IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { BritishEnglish } from './BritishEnglish.tsx'
import { iconButtonLook } from './IconButton.tsx'

/** A word of explanation behind an "i", opened by tap, click or key, since nothing may only be hovered. Escape closes it. */
export function InfoTip({ label, children }: { label: string; children: ReactNode }) {
  return (
    <BritishEnglish>
      <DialogTrigger>
        <Button aria-label={label} className={iconButtonLook}>
          <IconInfoCircle aria-hidden size={20} />
        </Button>
        <Popover
          placement="top"
          className="max-w-[min(22rem,calc(100vw-2rem))] rounded-lg border border-line bg-raised p-4 shadow-high data-entering:animate-appear"
        >
          <Dialog aria-label={label} className="text-sm outline-none">
            {children}
          </Dialog>
        </Popover>
      </DialogTrigger>
    </BritishEnglish>
  )
}
