import { createContext, use } from 'react'
import { useHydrated } from '../lib/hydrated.ts'
import { Button, type ButtonProps } from './Button.tsx'
import { classes } from './classes.ts'

/** Whether the form around is being sent; set by `Form`. */
export const Submitting = createContext(false)

/**
 * Sends the form around it, which needs JavaScript. It waits until the page is alive, since the browser would send the form
 * by itself before that; it looks the same meanwhile.
 */
export function SubmitButton({ isDisabled, isPending, className, ...props }: Omit<ButtonProps, 'type'>) {
  const isHydrated = useHydrated()
  const isSubmitting = use(Submitting)
  return (
    <Button
      {...props}
      type="submit"
      isPending={isPending ?? isSubmitting}
      isDisabled={isDisabled || !isHydrated}
      className={classes(!isHydrated && !isDisabled && 'disabled:opacity-100', className)}
    />
  )
}
