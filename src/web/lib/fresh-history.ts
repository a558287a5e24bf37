import { isOutdated } from './session.ts'

/**
 * Has a document that the browser has kept and brings back by its history loaded again if it is outdated. It is hidden as it
 * is left, so that nothing of the account flashes by. Called before the page is alive: it may be left at any time.
 */
export function keepHistoryFresh(): void {
  const look = ({ type, persisted }: PageTransitionEvent) => {
    if (!persisted || !isOutdated()) return
    document.documentElement.hidden = true
    if (type === 'pageshow') location.reload()
  }
  addEventListener('pagehide', look)
  addEventListener('pageshow', look)
}
