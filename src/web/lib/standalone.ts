/** Whether this page runs as an app from the home screen, which has no address bar and opens other windows elsewhere. */
export function isStandalone(): boolean {
  // `standalone` is Safari's, on an iPhone or iPad.
  const isInSafari = 'standalone' in navigator && navigator.standalone === true
  return isInSafari || matchMedia('(display-mode: standalone)').matches
}
