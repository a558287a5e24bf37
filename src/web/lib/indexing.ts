import { publicPages } from '#contract/public-pages.ts'

/**
 * The address under which search engines may index a page, without the origin. Undefined for private pages, and for
 * filtered lists, whose number has no limit.
 */
export function canonicalPath({
  pathname,
  search,
}: {
  pathname: string
  search: string
}): string | undefined {
  const path = withoutEndingSlashes(pathname)
  const query = new URLSearchParams(search)
  if (path === '/recommended-therapist') {
    const id = query.get('practitionerId')
    return id && /^[1-9]\d{0,8}$/.test(id) ? `${path}?practitionerId=${id}` : undefined
  }
  if (path === '/found-therapists') {
    const filters = [...query].filter(([name]) => name !== 'session_type')
    return filters.length === 0 ? path : undefined
  }
  return publicPages.includes(path) ? path : undefined
}

function withoutEndingSlashes(pathname: string): string {
  let end = pathname.length
  while (end > 1 && pathname[end - 1] === '/') end -= 1
  return pathname.slice(0, end)
}
