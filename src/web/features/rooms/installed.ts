/** Whether this page runs as an app on a phone, which turns the microphone of an app in the background off. */
export function isInstalledOnPhone(): boolean {
  return matchMedia('(pointer: coarse) and (display-mode: standalone)').matches
}
