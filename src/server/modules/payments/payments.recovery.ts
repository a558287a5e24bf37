import { later, minutes, seconds } from '../../clock.ts'
import type { Deps } from '../../deps.ts'
import { listLeftCharges } from './charges.store.ts'
import { listUnfinished } from './gateway-payments.store.ts'
import type { createCharges } from './payments.charges.ts'
import { changePatience, type createFinishing, cutOff } from './payments.finishing.ts'
import { listAbandonedChanges, moveIntent } from './payments.store.ts'
import { listOpenRefunds } from './refunds.store.ts'

type Dependencies = Pick<Deps, 'db' | 'clock'> & {
  finishing: Pick<ReturnType<typeof createFinishing>, 'tryFinishing' | 'tryRefunding'>
  charges: Pick<ReturnType<typeof createCharges>, 'tryFinishingCharge' | 'tryVoidingCharge'>
}

/** An abandoned charge is voided after this time: authorised, or waiting for authentication by the bank. */
const chargePatience = { authorised: seconds(35), asked: minutes(60) }
/** A run begins no further gateway call after this time. With the last call it ends before the queue fails its job. */
const beginsFor = minutes(1)
/** The part of it that charges have for themselves. */
const chargesFor = seconds(20)
/** After so many failures in a row the rest of a kind is left to the next run: the gateway is away. */
const maxFailures = 5
const batch = 100

/**
 * Finishes or voids payments, refunds and charges after a crash, and voids those that were abandoned on the page. There is
 * one run in a process at a time, which a call during it joins.
 */
export function createRecovery({ db, clock, finishing, charges }: Dependencies) {
  return {
    recover: joined(async () => {
      const now = clock.now()
      await recoverSessions(now, later(now, beginsFor - chargesFor))
      await recoverOwn(now, later(now, beginsFor))
    }),

    /** As `recover`, of charges alone. */
    recoverCharges: joined(async () => {
      const now = clock.now()
      await recoverOwn(now, later(now, chargesFor))
    }),
  }

  async function recoverSessions(now: Date, endsAt: Date): Promise<void> {
    const before = later(now, -cutOff)
    await each(endsAt, listAbandonedChanges(db, since(now, changePatience), batch), async ({ id, state }) => {
      await moveIntent(db, id, state, 'voiding', now)
      return finishing.tryFinishing(id)
    })
    await each(endsAt, listUnfinished(db, 'payment_intents', before, batch), ({ id }) =>
      finishing.tryFinishing(id),
    )
    await each(endsAt, listOpenRefunds(db, before, batch), ({ id }) => finishing.tryRefunding(id))
  }

  async function recoverOwn(now: Date, endsAt: Date): Promise<void> {
    await each(endsAt, listLeftCharges(db, since(now, chargePatience), batch), ({ id }) =>
      charges.tryVoidingCharge(id),
    )
    await each(endsAt, listUnfinished(db, 'platform_charges', later(now, -cutOff), batch), ({ id }) =>
      charges.tryFinishingCharge(id),
    )
  }

  async function each<Row>(
    endsAt: Date,
    list: Promise<Row[]>,
    handle: (row: Row) => Promise<boolean>,
  ): Promise<void> {
    let failures = 0
    for (const row of await list) {
      if (failures === maxFailures || clock.now() >= endsAt) return
      failures = (await handle(row)) ? 0 : failures + 1
    }
  }
}

const since = (now: Date, { authorised, asked }: { authorised: number; asked: number }) => ({
  authorised: later(now, -authorised),
  asked: later(now, -asked),
})

/** Runs work once at a time: a call during a run joins it. */
function joined(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () =>
    (running ??= work().finally(() => {
      running = undefined
    }))
}
