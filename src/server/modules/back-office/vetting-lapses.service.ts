import type { VettingLapse } from '#contract/back-office/back-office.ts'
import type { AnswerOf } from '#contract/endpoints.ts'
import type { Db } from '../../db/connection.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { SignedIn } from '../../http/caller.ts'
import { attempt } from '../../jobs/attempt.ts'
import type { AdminMails } from '../accounts/accounts.admin-mails.ts'
import type { Freezes } from '../bookings/freezes/freezes.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import type { Vetting } from '../practitioners/vetting/vetting.service.ts'
import { asAdmin } from './as-admin.ts'
import { vettingLapseMail } from './vetting-lapses.mails.ts'
import * as store from './vetting-lapses.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock' | 'log' | 'publicUrl'> & {
  vetting: Pick<Vetting, 'factsEnding'>
  freezes: Pick<Freezes, 'lapses'>
  practitioners: Pick<Practitioners, 'cards'>
  adminMails: AdminMails
}

/** The lapse that a mail is about. It is dropped once the lapse is no longer due, or touches no session any more. */
type LapseFacts = { practitioner_id: number; lapses_at: string }

/** More than these are not listed at once; the first to lapse come first. */
const listed = 200

export type VettingLapses = ReturnType<typeof createVettingLapses>

/** Vetted facts that lapse within 14 days while sessions are booked for later: a list, and one mail to the back office each. */
export function createVettingLapses(deps: Dependencies) {
  const { db, clock, log, vetting, freezes, practitioners, adminMails, publicUrl } = deps

  adminMails.template<LapseFacts>('back-office.vetting_lapse', async (tx, { data }, to) => {
    const lapse = (await read(tx)).find(
      (each) => each.practitioner_id === data.practitioner_id && each.lapses_at === data.lapses_at,
    )
    return lapse ? vettingLapseMail(to, lapse, publicUrl) : 'obsolete'
  })

  return {
    async list(caller: SignedIn): Promise<AnswerOf<'GET /admin/vetting-lapses'>> {
      asAdmin(caller)
      const data = await read(db)
      return { data, total: data.length }
    },

    /** Puts a mail in the queue for each lapse that the back office has not been written to of. */
    async sweep(): Promise<void> {
      for (const { practitioner_id, lapses_at } of await freezes.lapses(db, listed)) {
        await attempt(log, 'telling of a vetting lapse', () =>
          inTransaction(db, async (tx) => {
            if (!(await store.noteLapse(tx, { practitioner_id, lapses_at, noted_at: clock.now() }))) return
            const id = `${practitioner_id} ${lapses_at.toISOString()}`
            await adminMails.enqueue(tx, {
              template: 'back-office.vetting_lapse',
              about: { type: 'vetting-lapse', id },
              dedupeKey: `back-office.vetting_lapse ${id}`,
              data: { practitioner_id, lapses_at: lapses_at.toISOString() } satisfies LapseFacts,
            })
          }),
        )
      }
    },
  }

  async function read(handle: Db): Promise<VettingLapse[]> {
    const rows = await freezes.lapses(handle, listed)
    const ids = rows.map((row) => row.practitioner_id)
    const [cards, ending] = await Promise.all([
      practitioners.cards(handle, ids),
      vetting.factsEnding(handle, ids),
    ])
    return rows.flatMap(({ practitioner_id: id, lapses_at, next_cancelled_at, sessions, frozen }) => {
      const card = cards.get(id)
      const facts = ending.get(id)
      if (!card || !facts) return []
      return {
        practitioner_id: id,
        full_name: card.full_name,
        facts: facts.facts,
        lapses_at: lapses_at.toISOString(),
        sessions,
        frozen,
        next_cancelled_at: next_cancelled_at?.toISOString() ?? null,
        is_waiting: facts.isWaiting,
      }
    })
  }
}
