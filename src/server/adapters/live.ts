import type { Config } from '../config.ts'
import type { Live } from '../integrations/live/port.ts'
import type { Secrets } from '../secrets.ts'

/** Live events through Redis, or undefined for those of one process. The Redis client is loaded only for Redis. */
export async function liveOf(
  config: Config,
  secrets: Secrets,
  say: (sentence: string) => void,
): Promise<Live | undefined> {
  if (!config.REDIS_URL) return undefined
  const { redisLive } = await import('../integrations/live/redis.ts')
  return redisLive({
    url: config.REDIS_URL,
    seal: (bytes) => secrets.seal('live event', '', bytes),
    open: (bytes) => secrets.open('live event', '', bytes),
    say,
  })
}
