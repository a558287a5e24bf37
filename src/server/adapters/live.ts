import type { Config } from '../config.ts'
import type { Live } from '../integrations/live/port.ts'
import type { Secrets } from '../secrets.ts'

/** Live events through Redis or PostgreSQL, or undefined for those of one process. Only the client in use is loaded. */
export async function liveOf(
  config: Config,
  secrets: Secrets,
  say: (sentence: string) => void,
): Promise<Live | undefined> {
  const sealing = {
    seal: (bytes: Buffer) => secrets.seal('live event', '', bytes),
    open: (bytes: Buffer) => secrets.open('live event', '', bytes),
    say,
  }
  if (config.REDIS_URL) {
    const { redisLive } = await import('../integrations/live/redis.ts')
    return redisLive({ url: config.REDIS_URL, ...sealing })
  }
  if (config.DATABASE_LISTEN_URL) {
    const { postgresLive } = await import('../integrations/live/postgres.ts')
    return postgresLive({ url: config.DATABASE_LISTEN_URL, ...sealing })
  }
  return undefined
}
