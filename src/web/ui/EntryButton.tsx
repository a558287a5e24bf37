import { use } from 'react'
import { Button, type ButtonProps } from './Button.tsx'
import { Submitting } from './submitting.ts'

/** Changes what is entered around it, such as 'Add another licence'. Does nothing while that is being sent. */
export function EntryButton(props: ButtonProps) {
  return <Button {...props} aria-disabled={use(Submitting) || undefined} />
}
