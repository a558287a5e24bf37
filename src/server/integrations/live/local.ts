import { createHub, sendingBy } from './hub.ts'
import type { Live } from './port.ts'

/** Live events of a single instance, which holds all sockets. */
export function localLive(): Live {
  const hub = createHub()
  return {
    ...sendingBy(hub.spread),
    onNotice: hub.onNotice,
    hearsOthers: () => true,
    isOnline: async (accountId) => hub.has(accountId),
    join(connection) {
      hub.add(connection)
      return () => void hub.remove(connection)
    },
    close: async () => undefined,
  }
}
