import type { ReactNode } from 'react'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import { BritishEnglish } from './BritishEnglish.tsx'

/** Shows the name of an icon button on hover and focus. It says nothing that the button's label does not: touch never sees it. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <BritishEnglish>
      <TooltipTrigger delay={400} closeDelay={80}>
        {children}
        <AriaTooltip
          offset={6}
          className="rounded-md border border-line bg-ink px-2.5 py-1 text-sm text-paper shadow-mid data-entering:animate-appear"
        >
          {text}
        </AriaTooltip>
      </TooltipTrigger>
    </BritishEnglish>
  )
}
