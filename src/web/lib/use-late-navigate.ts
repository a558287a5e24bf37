import { type NavigateOptions, useLocation, useNavigate } from 'react-router'

type LateNavigate = (to: string, options?: NavigateOptions) => void | Promise<void>

/** As `useNavigate`, for the end of what takes time: a person who has gone to another page meanwhile stays there. */
export function useLateNavigate(): LateNavigate {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return (to, options) => (window.location.pathname === pathname ? navigate(to, options) : undefined)
}
