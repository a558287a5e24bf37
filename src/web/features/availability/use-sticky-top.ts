import { type CSSProperties, type RefObject, useEffect, useRef, useState } from 'react'

/** Distance kept from the edges of the window, in CSS pixels. */
const margin = 24

/**
 * Where something sticky has to stop so that all of it can be reached: at the top of the window, or, when it is taller
 * than the window, where its end is in sight.
 */
export function useStickyTop(): { ref: RefObject<HTMLElement | null>; style: CSSProperties } {
  const ref = useRef<HTMLElement>(null)
  const [top, setTop] = useState(margin)
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const measure = () => setTop(Math.min(margin, window.innerHeight - element.offsetHeight - margin))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    window.addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [])
  return { ref, style: { top } }
}
