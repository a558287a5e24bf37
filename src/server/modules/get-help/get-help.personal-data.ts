import type { PersonalData } from '../../contributions/personal-data.ts'
import type { Dispatch } from './get-help.dispatch.ts'
import * as store from './get-help.store.ts'

/** Searches for help of clients, with who was asked. */
export function getHelpPersonalData({ dispatch }: { dispatch: Dispatch }): PersonalData {
  return {
    tables: ['help_dispatches', 'help_offers'],
    kept: [],

    async exported(db, { accountId }) {
      const rows = await store.listSearchesOf(db, accountId)
      return [
        {
          title: 'Help right now',
          about:
            'Every time you asked for it, newest first. The sessions that came of it are among your sessions.',
          entries: rows.map((row) => ({
            issue: row.issue_name,
            begun_at: row.created_at.toISOString(),
            paid_at: row.paid_at?.toISOString() ?? null,
            ended_at: row.ended_at?.toISOString() ?? null,
            outcome: outcomes[row.state],
            practitioners_asked: row.asked ?? 0,
          })),
        },
      ]
    },

    async hindrances(db, { accountId }) {
      const id = await store.findLiveId(db, accountId)
      const row = id === undefined ? undefined : await store.findDispatch(db, id)
      if (row?.state !== 'asking') return []
      return [
        {
          kind: 'money_under_way',
          message: 'You have asked for help right now, and we are asking someone for you.',
          way_out: 'Stop the search first: it costs you nothing.',
          starts_at: null,
          path: '/get-help/session-is-booked',
        },
      ]
    },

    async erase(tx, { accountId }) {
      const id = await store.findLiveId(tx, accountId)
      const live = id === undefined ? undefined : await store.lockDispatch(tx, id)
      if (live?.state === 'claimed') await dispatch.endByClient(tx, live, null)
      await store.deleteSearchesOf(tx, accountId)
    },
  }
}

const outcomes: Record<store.DispatchRow['state'], string> = {
  claimed: 'waiting to be paid',
  asking: 'practitioners are being asked',
  accepted: 'somebody accepted',
  nobody: 'nobody was free, and you were not charged',
  stopped: 'you stopped it, and were not charged',
  expired: 'not paid in time',
}
