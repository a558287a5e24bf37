import { IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { iconButtonLook } from './IconButton.tsx'
import { Popover } from './Popover.tsx'

/** A word of explanation behind an "i", opened by tap, click or key, since nothing may only be hovered. */
export function InfoTip({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Popover
      label={label}
      placement="top"
      trigger={
        <Button aria-label={label} className={iconButtonLook}>
          <IconInfoCircle aria-hidden size={20} />
        </Button>
      }
    >
      <div className="text-sm">{children}</div>
    </Popover>
  )
}
