import { useCallback, useEffect, useRef } from 'react'
import { useLocation, useNavigation } from 'react-router'

/**
 * Whether another page than this one and `expected` has been asked for and is on its way: what ends late navigates no more,
 * or the person would not get there.
 */
export function useIsLeaving(expected?: string): () => boolean {
  const { pathname } = useLocation()
  const next = useNavigation().location?.pathname
  const isLeaving = useRef(false)
  useEffect(() => {
    isLeaving.current = next !== undefined && next !== pathname && next !== expected
  }, [next, pathname, expected])
  return useCallback(() => isLeaving.current, [])
}
