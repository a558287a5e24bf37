import { type KeyboardEvent, type MouseEvent, type ReactNode, type SyntheticEvent, use } from 'react'
import { Submitting } from './submitting.ts'

/**
 * Around inputs: nothing typed or chosen in them changes while it is being sent, since the answer would lose it. The focus
 * stays where it is; links and buttons work, except an `EntryButton`.
 */
export function InputLock({ isLocked = false, children }: { isLocked?: boolean; children: ReactNode }) {
  // One within another is not open where that is locked.
  const isOuterLocked = use(Submitting)
  return (
    <Submitting value={isLocked || isOuterLocked}>
      <div className="contents" {...(isLocked && lock)}>
        {children}
      </div>
    </Submitting>
  )
}

/** By keys of these a select or radio button changes. */
const changing = /^(.|Arrow.+|Page.+|Home|End|Enter|F4)$/

/** The browser has no read-only boxes, radio buttons and selects. A disabled one would lose the focus and its value. */
const lock = {
  onClickCapture(event: MouseEvent) {
    if (isOn(event, '[type=checkbox], [type=radio], [type=file]')) {
      event.preventDefault()
      // A change is heard by its click.
      event.stopPropagation()
    }
  },
  onMouseDownCapture(event: MouseEvent) {
    if (isOn(event, 'select')) event.preventDefault()
  },
  onKeyDownCapture(event: KeyboardEvent) {
    const isShortcut = event.ctrlKey || event.metaKey
    if (!isShortcut && changing.test(event.key) && isOn(event, 'select, [type=radio]')) event.preventDefault()
  },
}

const isOn = ({ target }: SyntheticEvent, selector: string) =>
  target instanceof Element && target.matches(selector)
