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

/** Nothing can be lost before something has the focus: until then a page does without this code. */
function keepFocusOnceThereIsOne(): () => void {
  let stop: (() => void) | undefined
  let isLeft = false
  const earlier: Element[] = []
  const note = ({ target }: FocusEvent) => {
    if (target instanceof Element && earlier.push(target) === 1) begin()
  }
  const end = () => {
    document.removeEventListener('focusin', note)
    earlier.length = 0
  }
  const begin = () => {
    import('#web/lib/kept-focus.ts').then(
      ({ keepFocus }) => {
        if (!isLeft) stop = keepFocus(earlier)
        end()
      },
      // Without a network the focus is left to the browser.
      end,
    )
  }
  document.addEventListener('focusin', note)
  return () => {
    isLeft = true
    end()
    stop?.()
  }
}
