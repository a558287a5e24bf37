import { IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { IconButton } from './IconButton.tsx'
import { Popover } from './Popover.tsx'

/** A word of explanation behind an "i", opened by tap, click or key, since nothing may only be hovered. */
export function InfoTip({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Popover
      label={label}
      placement="top"
      trigger={
        <IconButton label={label}>
          <IconInfoCircle aria-hidden size={20} />
        </IconButton>
      }
    >
      <div className="text-sm">{children}</div>
    </Popover>
  )
}
