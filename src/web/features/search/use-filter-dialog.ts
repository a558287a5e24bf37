import { useEffect, useEffectEvent, useRef } from 'react'
import { NavigationType, useBlocker, useLocation, useNavigate, useNavigation } from 'react-router'
import { useHydrated } from '#web/lib/hydrated.ts'
import { parseFilters, queryOf } from './filters.ts'

/** In the address while the panel is open. */
export const panelHash = '#filters'

/** Whether the panel that the address still has is on its way to be closed. */
let isBeingClosed = false

/** The hash of the address that results on their way belong to, wherever they are redirected. */
export const hashOnItsWay = () => (window.location.hash === panelHash && !isBeingClosed ? panelHash : '')

/** Whether the filter panel of a phone is open. It closes before the results of what was chosen in it have come. */
export function useIsFilterDialogOpen(): boolean {
  const { hash, pathname } = useLocation()
  const { location: next } = useNavigation()
  const isClosing = next?.pathname === pathname && next.hash === ''
  const isNarrow = useHydrated() && !window.matchMedia('(min-width: 62rem)').matches
  return isNarrow && hash === panelHash && !isClosing
}

/**
 * Opens and closes the filter panel of a phone. Its opening is an entry of the history, and what is chosen in it replaces
 * that entry: the browser's way back closes the panel and keeps what was chosen.
 * @param wanted the query of what is chosen, ahead of the address while its results are on their way
 */
export function useFilterDialog(isOpen: boolean, wanted: string): (isOpen: boolean) => void {
  const { hash, pathname, search } = useLocation()
  const navigate = useNavigate()
  /** The query of the entry below the panel's, from which it was opened here. */
  const openedAt = useRef<string>(undefined)

  const { state } = useNavigation()
  useEffect(() => {
    // Also by the browser's way forward.
    if (hash === panelHash && state === 'idle') isBeingClosed = false
  }, [hash, state])

  const setOpen = (opens: boolean) => {
    if (opens === isOpen) return
    isBeingClosed = !opens
    if (opens) {
      // Opened again while it is closing, it has its entry already.
      const replace = hash === panelHash
      if (!replace) openedAt.current = queryOf(parseFilters(new URLSearchParams(search)))
      void navigate(pathname + wanted + panelHash, { replace, preventScrollReset: true })
    } else if (openedAt.current === wanted) void navigate(-1)
    else void navigate(pathname + wanted, { replace: true, preventScrollReset: true })
  }

  const blocker = useBlocker(
    ({ historyAction }) =>
      isOpen &&
      historyAction === NavigationType.Pop &&
      openedAt.current !== undefined &&
      openedAt.current !== wanted,
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

  return setOpen
}
