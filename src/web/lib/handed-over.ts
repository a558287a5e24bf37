import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** What the page that led here has handed over. It is there once: not again after a reload, nor on the way back. */
export function useHandedOver<State extends object>(): Partial<State> {
  const navigate = useNavigate()
  const state = useLocation().state as Partial<State> | null
  const [first] = useState(state)
  const isToClear = state !== null
  useEffect(() => {
    if (isToClear) void navigate('.', { replace: true, state: null, preventScrollReset: true })
  }, [isToClear, navigate])
  return first ?? {}
}
