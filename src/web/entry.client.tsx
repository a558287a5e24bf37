import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { allowFrameworkMarkup, serviceWorkerPath } from './lib/trusted-types.ts'

allowFrameworkMarkup()

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})

// Once everything else has loaded, which may be before this runs: it is of use only when the network has gone.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const register = () => {
    // Refused where storage is blocked; the product works without it.
    navigator.serviceWorker.register(serviceWorkerPath).catch(() => undefined)
  }
  if (document.readyState === 'complete') register()
  else window.addEventListener('load', register, { once: true })
}
