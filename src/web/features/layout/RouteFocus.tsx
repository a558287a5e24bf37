import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { keepFocus } from '#web/lib/kept-focus.ts'

/**
 * After a navigation to another page the focus goes to its h1, which a screen reader then reads, as it would read the
 * title of a page loaded anew. A change of the query alone, such as a filter, leaves the focus where it is. What has the
 * focus and goes hands it to what follows.
 */
export function RouteFocus() {
  const { pathname, hash } = useLocation()
  const shown = useRef(pathname)
  useEffect(keepFocus, [])
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (hash) return
    const heading =
      document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [pathname, hash])
  return null
}
