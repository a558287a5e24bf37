import { minutes } from '#server/clock.ts'
import type { TestApp } from './build-test-app.ts'

/** Devices in a room. */
export const devices = {
  phone: '00000000-0000-4000-8000-000000000001',
  laptop: '00000000-0000-4000-8000-000000000002',
  desk: '00000000-0000-4000-8000-000000000003',
  surgery: '00000000-0000-4000-8000-000000000004',
} as const

/** Takes or keeps a seat. */
export const sitDown = (
  app: Pick<TestApp, 'call'>,
  id: string,
  token: string,
  peer_id: string,
  more: { take?: boolean } = {},
) => app.call('POST', `/appointment/${id}/room/seat`, { token, body: { peer_id, ...more } })

/** Keeps a seat for so many minutes, by as few calls as count. */
export async function stayInRoom(
  app: Pick<TestApp, 'call' | 'clock'>,
  id: string,
  token: string,
  peer: string,
  stayed: number,
): Promise<void> {
  await sitDown(app, id, token, peer)
  for (let at = 0; at < stayed; at++) {
    app.clock.advance(minutes(1))
    const kept = await sitDown(app, id, token, peer)
    if (kept.status !== 200) throw new Error(`seat answered ${kept.status} ${JSON.stringify(kept.body)}`)
  }
}
