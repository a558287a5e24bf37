/** Chrome alone has it, on phones. */
type Network = EventTarget & { type?: string }

/** Calls the listener when the device has a network again, or another one. Returns the unsubscribe function. */
export function onNetworkChange(listener: () => void): () => void {
  const { connection } = navigator as Navigator & { connection?: Network }
  let type = connection?.type
  // Comes also where the same network is faster or slower.
  const onChange = () => {
    if (connection?.type === type) return
    type = connection?.type
    listener()
  }
  window.addEventListener('online', listener)
  connection?.addEventListener('change', onChange)
  return () => {
    window.removeEventListener('online', listener)
    connection?.removeEventListener('change', onChange)
  }
}
