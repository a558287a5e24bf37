import { type ReactNode, type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { PrefetchPageLinks, useNavigate } from 'react-router'

/** As long as a pointer rests on a link that is meant, in milliseconds. */
const pause = 100

/**
 * Follows the plain links within an element as the router's own: without another document, and with what they lead to
 * read ahead once one is pointed at or focused. A list of a hundred links needs one hook instead of as many components.
 * @returns what to render beside the element
 */
export function useFollowedLinks(within: RefObject<HTMLElement | null>): ReactNode {
  const navigate = useNavigate()
  const [meant, setMeant] = useState<string>()
  const follow = useEffectEvent((event: MouseEvent) => {
    const link = linkOf(event)
    if (!link || event.defaultPrevented || !isPlainClick(event)) return
    event.preventDefault()
    void navigate(pathOf(link))
  })
  useEffect(() => {
    const element = within.current
    if (!element) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const mean = (event: Event) => {
      const link = linkOf(event)
      clearTimeout(timer)
      timer = setTimeout(() => setMeant(link && pathOf(link)), pause)
    }
    const stop = () => {
      clearTimeout(timer)
      setMeant(undefined)
    }
    const listening = new AbortController()
    const options = { passive: true, signal: listening.signal }
    element.addEventListener('click', (event) => follow(event), { signal: listening.signal })
    for (const sign of ['mouseover', 'focusin', 'touchstart']) element.addEventListener(sign, mean, options)
    for (const end of ['mouseleave', 'focusout']) element.addEventListener(end, stop, options)
    return () => {
      listening.abort()
      clearTimeout(timer)
    }
  }, [within])
  return meant === undefined ? null : <PrefetchPageLinks page={meant} />
}

function linkOf({ target }: Event): HTMLAnchorElement | undefined {
  return (target instanceof Element && target.closest('a')) || undefined
}

function isPlainClick({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey
}

const pathOf = ({ pathname, search, hash }: HTMLAnchorElement) => pathname + search + hash
