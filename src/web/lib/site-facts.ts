import { useRouteLoaderData } from 'react-router'
import type { SiteFacts } from './server-context.ts'

/** What the site is, as the server has told the first page; undefined where even that failed. */
export function useSiteFacts(): SiteFacts | undefined {
  return useRouteLoaderData<SiteFacts>('root')
}
