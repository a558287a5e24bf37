import { useHydrated } from './hydrated.ts'
import { viewerZone } from './time.ts'

/** What stands for the reader's zone where there is no reader: on the server and until the page is alive. */
export const pageZone = 'Europe/London'

/** The reader's time zone; first the page's own, so that what the server rendered is taken over as it is. */
export function useViewerZone(): string {
  const isHydrated = useHydrated()
  return isHydrated ? viewerZone() : pageZone
}
