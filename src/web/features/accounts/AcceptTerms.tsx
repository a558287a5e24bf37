import type { ComponentProps } from 'react'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { TextLink } from '#web/ui/Link.tsx'

/** The tick under a sign-up form; `props` are those of its checkbox. */
export function AcceptTerms(props: Omit<ComponentProps<typeof Checkbox>, 'children'>) {
  return (
    <Checkbox {...props}>
      I accept the <TextLink to="/terms-and-conditions">Terms and Conditions</TextLink> and have read the{' '}
      <TextLink to="/privacy-policy">Privacy Policy</TextLink>
    </Checkbox>
  )
}
