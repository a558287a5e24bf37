import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import './ended-transitions.ts'

/**
 * What the kit says and how it writes numbers, in the language of the page rather than the browser's. Around each
 * component that needs it, not around the page: most pages then load nothing of the kit.
 */
export function BritishEnglish({ children }: { children: ReactNode }) {
  return <I18nProvider locale="en-GB">{children}</I18nProvider>
}
