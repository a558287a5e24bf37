import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * After a navigation to another page the focus goes to its h1, which a screen reader then reads, as it would read the
 * title of a page loaded anew. A change of the query alone, such as a filter, leaves the focus where it is. What has the
 * focus and goes hands it to what follows.
 */
export function RouteFocus() {
  const { pathname, hash } = useLocation()
  const shown = useRef(pathname)
  useEffect(keepFocusOnceThereIsOne, [])
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

let isBegun = false

/** Nothing can be lost before something has the focus: until then a page does without this code, which then stays. */
function keepFocusOnceThereIsOne(): void {
  if (isBegun) return
  isBegun = true
  const earlier: Element[] = []
  const end = () => document.removeEventListener('focusin', note)
  const note = ({ target }: FocusEvent) => {
    if (earlier.push(target as Element) > 1) return
    // Without a network the focus is left to the browser.
    import('#web/lib/kept-focus.ts').then(({ keepFocus }) => {
      end()
      keepFocus(earlier)
    }, end)
  }
  document.addEventListener('focusin', note)
}
