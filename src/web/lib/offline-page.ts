import { serviceWorkerPath } from './trusted-types.ts'

/**
 * Has the browser keep the page that is shown without a network. Once everything else has loaded, which may be before
 * this runs.
 */
export function keepOfflinePage(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const register = () => {
    // Refused where storage is blocked; the product works without it.
    navigator.serviceWorker.register(serviceWorkerPath).catch(() => undefined)
  }
  if (document.readyState === 'complete') register()
  else window.addEventListener('load', register, { once: true })
}
