import { useEffect, useEffectEvent, useRef } from 'react'
import { NavigationType, useBlocker, useLocation, useNavigate } from 'react-router'
import { useHydrated } from '#web/lib/hydrated.ts'

/** In the address while the panel is open. */
export const panelHash = '#filters'

/**
 * Whether the filter panel of a phone is open. Its opening is an entry of the history, and what is chosen in it replaces
 * that entry: the browser's way back closes the panel and keeps what was chosen.
 */
export function useFilterDialog(): { isOpen: boolean; setOpen(isOpen: boolean): void } {
  const { hash, pathname, search } = useLocation()
  const navigate = useNavigate()
  const isOpen = useHydrated() && hash === panelHash && !window.matchMedia('(min-width: 62rem)').matches
  /** The search from which the panel was opened here. */
  const openedAt = useRef<string>(undefined)

  const setOpen = (opens: boolean) => {
    if (opens === isOpen) return
    const isUnchanged = openedAt.current === search
    openedAt.current = opens ? search : undefined
    if (opens) void navigate(`${pathname}${search}${panelHash}`, { preventScrollReset: true })
    else if (isUnchanged) void navigate(-1)
    else void navigate(pathname + search, { replace: true, preventScrollReset: true })
  }

  const blocker = useBlocker(
    ({ currentLocation, historyAction }) =>
      isOpen &&
      historyAction === NavigationType.Pop &&
      openedAt.current !== undefined &&
      openedAt.current !== currentLocation.search,
  )
  const stay = useEffectEvent(() => {
    // The browser went back before it could be asked, and is on its way forward again.
    if (window.location.hash !== panelHash) return
    blocker.reset?.()
    setOpen(false)
  })
  useEffect(() => {
    if (blocker.state !== 'blocked') return undefined
    stay()
    const listen = () => stay()
    window.addEventListener('popstate', listen)
    return () => window.removeEventListener('popstate', listen)
  }, [blocker.state])

  return { isOpen, setOpen }
}
