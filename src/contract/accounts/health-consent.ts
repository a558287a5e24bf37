/**
 * What a client agrees to about data on their health, as forms show it. Article 9 (2) (a) of the UK GDPR asks for a
 * consent of its own. Another text is another version, and the older ones stay in `healthConsentVersions`.
 */
export const healthConsent = {
  version: '2026-11-29',
  text: 'I agree that Hearth uses what I share here about my health to find and arrange my therapy',
} as const

/** Every version that a page may still show. */
export const healthConsentVersions = [healthConsent.version] as const
