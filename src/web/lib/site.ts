/** The product as it names itself. */
export const siteName = 'Hearth'

/** The list of practitioners as every link to it opens it. No price range: most would be hidden. */
export const foundTherapistsPath = '/found-therapists?session_type=online'

/** "Get help right now", where a client finds a therapist within minutes. */
export const getHelpPath = '/get-help'

/** The people whom a visitor or client has saved. The page has no ids in its address. */
export const shortlistPath = '/shortlist'

/** Up to three of them side by side; whom is kept in the history entry. */
export const comparisonPath = '/shortlist/compare'

/** Pages of the product that are not built yet. Links to them are not shown. */
const closedPages: readonly string[] = []

/** Whether there is a page at this path to lead to. */
export function isOpen(path: string): boolean {
  return !closedPages.includes(path)
}

/** The title of a page, for the tab, history and screen readers. */
export function pageTitle(title: string): string {
  return `${title} – ${siteName}`
}
