import { createHub } from './hub.ts'
import type { Live } from './port.ts'

/** Live events of a single instance, which holds all sockets. */
export function localLive(): Live {
  const hub = createHub()
  return {
    send: (accountIds, event, carried, options = {}) =>
      hub.spread({ kind: 'event', accountIds, event, carried, except: options.except }),
    sendAll: (events) => hub.spread({ kind: 'events', events }),
    tell: (accountIds, liveEvent) =>
      hub.spread({ kind: 'event', accountIds, event: 'notice', carried: liveEvent }),
    onNotice: hub.onNotice,
    hearsOthers: () => true,
    recheck: (accountId) => hub.spread({ kind: 'recheck', accountIds: [accountId] }),
    isOnline: async (accountId) => hub.has(accountId),
    join(connection) {
      hub.add(connection)
      return () => void hub.remove(connection)
    },
    close: async () => undefined,
  }
}
