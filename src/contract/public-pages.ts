/** Public pages that search engines may index, each under its one address; beside them the profiles. */
export const publicPages: readonly string[] = [
  '/',
  '/find-therapist',
  '/found-therapists',
  '/get-help',
  '/frequently-asked-questions',
  '/privacy-policy',
  '/about-the-data',
  '/accessibility',
  '/terms-and-conditions',
]
