import { useLayoutEffect, useRef } from 'react'
import { type NavigateOptions, useLocation, useNavigate } from 'react-router'

type LateNavigate = (to: string, options?: NavigateOptions) => void | Promise<void>

/**
 * As `useNavigate`, for the end of what takes time: a person who has gone to another page meanwhile stays there. The page is
 * the address at which the component was rendered last: one that is about another thing with other parameters needs a
 * `key` of them, and one that changes its own parameters while it waits goes on.
 */
export function useLateNavigate(): LateNavigate {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const shown = useRef('')
  useLayoutEffect(() => {
    // As the browser writes it, which keeps a lone question mark in its address.
    const page = new URL(pathname + search, window.location.origin)
    shown.current = page.pathname + page.search
  }, [pathname, search])
  return (to, options) =>
    window.location.pathname + window.location.search === shown.current ? navigate(to, options) : undefined
}
