import type { ComponentProps } from 'react'
import { healthConsent } from '#contract/accounts/health-consent.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { TextLink } from '#web/ui/Link.tsx'

/** The rules of the field. The call takes a sign-up without it, for apps that ask later. */
export const healthConsentRules = { required: 'We need your agreement to arrange therapy for you.' }

/** A client's consent to the use of data on their health, apart from the terms; `props` are those of its checkbox. */
export function HealthConsent(props: Omit<ComponentProps<typeof Checkbox>, 'children' | 'description'>) {
  return (
    <Checkbox
      {...props}
      description={<TextLink to="/privacy-policy#health">What it means, and how to end it</TextLink>}
    >
      {healthConsent.text}
    </Checkbox>
  )
}
