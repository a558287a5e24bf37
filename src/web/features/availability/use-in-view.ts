import { useEffect, useState } from 'react'

/**
 * Whether a part of an element is in sight, above what covers the bottom of the window; undefined before the page is
 * alive.
 * @param id of an element that is on the page while the id is the same
 * @param coveredPx height of what covers the bottom of the window
 */
export function useInView(id: string, coveredPx: number): boolean | undefined {
  const [seen, setSeen] = useState<{ id: string; isInView: boolean }>()
  useEffect(() => {
    const element = document.getElementById(id)
    if (!element) return undefined
    const observer = new IntersectionObserver(
      (entries) => setSeen({ id, isInView: entries.at(-1)?.isIntersecting ?? false }),
      { rootMargin: `0px 0px -${coveredPx}px 0px` },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [id, coveredPx])
  return seen?.id === id ? seen.isInView : undefined
}
