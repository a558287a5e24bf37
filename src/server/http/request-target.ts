/**
 * The path and query of a request target. Proxies may send the whole address (`http://host/path`), and `*` asks the
 * server as a whole, which has nothing to say: it is the path of no page.
 */
export function pathOfTarget(target: string): string {
  if (target.startsWith('/')) return target
  const rest = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}
