import { use } from 'react'
import { useHydrated } from '../lib/hydrated.ts'
import { Button, type ButtonProps } from './Button.tsx'
import { Submitting } from './submitting.ts'

/**
 * Sends the form around it, which needs JavaScript. Until the page is alive it does nothing and looks the same: the
 * browser would send the form by itself. An incomplete form does not disable it: its fields name what is missing.
 */
export function SubmitButton({
  isPending,
  isWaiting,
  ...props
}: Omit<ButtonProps, 'type' | 'isDisabled'> & {
  /** A part of the form is still loading. */
  isWaiting?: boolean
}) {
  const isHydrated = useHydrated()
  const isSubmitting = use(Submitting)
  return (
    <Button
      {...props}
      type="submit"
      aria-disabled={isWaiting || !isHydrated || undefined}
      isPending={isPending || isSubmitting}
    />
  )
}
