import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'

/**
 * Hears whether the browser's own disclosure is open and has the focus, from before the page was alive on: for a component
 * with another in its place once the page is. The first touch of it often is what brings the page alive.
 */
export function usePlainDisclosure(
  details: RefObject<HTMLDetailsElement | null>,
  hear: (found: { isOpen: boolean; hasFocus: boolean }) => void,
): void {
  const tell = useEffectEvent(hear)
  useLayoutEffect(() => {
    const found = details.current
    if (!found) return undefined
    const look = (focused: EventTarget | null) =>
      tell({ isOpen: found.open, hasFocus: found.contains(focused as Node | null) })
    look(document.activeElement)
    const gone = new AbortController()
    const { signal } = gone
    found.addEventListener('toggle', () => look(document.activeElement), { signal })
    found.addEventListener('focusin', ({ target }) => look(target), { signal })
    found.addEventListener('focusout', ({ relatedTarget }) => look(relatedTarget), { signal })
    return () => gone.abort()
  }, [details])
}
