import type { FastifyBaseLogger } from 'fastify'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/connection.ts'
import { settle } from '../db/seed/insert.ts'
import type { PushSender } from '../integrations/push/port.ts'
import { vapidSender } from '../integrations/push/vapid.ts'

type Settings = Pick<Config, 'PUSH_KEY' | 'PUSH_CONTACT' | 'PUSH_SERVICES' | 'DATA_DIR' | 'PUBLIC_URL'>

/**
 * Sends notifications with the configured key, or the kept one. Logs an error if the database was first used with another
 * key: push services refuse the new one for every browser that subscribed before. The start goes on, since a restored
 * database is tried out with another key.
 */
export async function pushOf(
  config: Settings,
  db: Db,
  log: Pick<FastifyBaseLogger, 'error'>,
): Promise<PushSender> {
  const push = vapidSender({
    key: config.PUSH_KEY,
    directory: config.DATA_DIR,
    contact: config.PUSH_CONTACT ?? config.PUBLIC_URL,
    services: config.PUSH_SERVICES?.split(',').map((host) => host.trim()),
    now: systemClock.now,
  })
  if ((await settle(db, 'push-key', push.publicKey)) !== push.publicKey)
    log.error(
      'PUSH_KEY is not the key that browsers have subscribed with: their notifications are refused. Give that key as PUSH_KEY, or put its file push.key back into DATA_DIR.',
    )
  return push
}
