import { helpProcess } from './help-paths.ts'

/** Whether a page itself shows how the search of this session stands. */
export function isSaidThere(sessionId: string, pathname: string, search: URLSearchParams): boolean {
  if (pathname.startsWith('/get-help/')) return true
  if (pathname === '/add-card') return search.get('process') === helpProcess
  return /^\/session(-room)?$/.test(pathname) && search.get('appointment') === sessionId
}

/** The dialog that a page shows; null for any other page. */
export const dialogOf = (pathname: string, search: string): string | null =>
  pathname === '/chat' ? new URLSearchParams(search).get('dialogId') : null
