import { useHydrated } from '../lib/hydrated.ts'
import { Button, type ButtonProps } from './Button.tsx'
import { classes } from './classes.ts'

/**
 * Sends a form that needs JavaScript. It waits until the page is alive, since the browser would send the form by itself
 * before that; it looks the same meanwhile.
 */
export function SubmitButton({ isDisabled, className, ...props }: Omit<ButtonProps, 'type'>) {
  const isHydrated = useHydrated()
  return (
    <Button
      {...props}
      type="submit"
      isDisabled={isDisabled || !isHydrated}
      className={classes(!isHydrated && !isDisabled && 'disabled:opacity-100', className)}
    />
  )
}
