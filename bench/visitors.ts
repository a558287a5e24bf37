import { startLoad } from './chat-peers.ts'
import type { LoadResult, RaceAnswer, VisitDone, VisitOrder } from './http-load.ts'

/** The process of those who ask over HTTP. */
export type Visitors = {
  /**
   * Keeps connections busy for some seconds with requests in turn; the same list goes on where it was. Answers are only
   * taken unless they are to be read as JSON.
   * @throws Error unless each is answered with the expected status
   */
  load(
    to: { origin: string; connections: number; seconds: number; expected?: number; isRead?: boolean },
    requests: readonly Buffer[],
  ): Promise<LoadResult>
  /** Sends all requests at once, each over a connection of its own. */
  race(origin: string, requests: readonly Buffer[]): Promise<RaceAnswer[]>
  stop(): Promise<void>
}

export function startVisitors(): Visitors {
  const process = startLoad<VisitOrder, VisitDone>('http-load.ts')
  const known = new Map<readonly Buffer[], number>()
  return {
    async load({ expected = 200, isRead = false, ...to }, requests) {
      const list = known.get(requests) ?? known.size
      const given = known.has(requests) ? {} : { requests: [...requests] }
      known.set(requests, list)
      return process.ask({ do: 'load', ...to, expected, isRead, list, ...given })
    },
    race: async (origin, requests) =>
      (await process.ask({ do: 'race', origin, requests: [...requests] })).answers,
    stop: process.stop,
  }
}
