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
/** After so many failures in a row the rest of a kind is left to the next run: the gateway is away. */
const maxFailures = 5
const batch = 100

/**
 * Finishes or voids payments, refunds and charges after a crash, and voids those that were abandoned on the page. There is
 * one run in a process at a time, which a call during it joins.
 */
export function createRecovery({ db, clock, finishing, charges }: Dependencies) {
  let running: Promise<void> | undefined

  return {
    async recover(): Promise<void> {
      running ??= run().finally(() => {
        running = undefined
      })
      return running
    },
  }

  async function run(): Promise<void> {
    const now = clock.now()
    const endsAt = later(now, beginsFor)
    const since = ({ authorised, asked }: { authorised: number; asked: number }) => ({
      authorised: later(now, -authorised),
      asked: later(now, -asked),
    })
    const before = later(now, -cutOff)
    const each = async <Row>(list: Promise<Row[]>, handle: (row: Row) => Promise<boolean>) => {
      let failures = 0
      for (const row of await list) {
        if (failures === maxFailures || clock.now() >= endsAt) return
        failures = (await handle(row)) ? 0 : failures + 1
      }
    }
    await each(listAbandonedChanges(db, since(changePatience), batch), async ({ id, state }) => {
      await moveIntent(db, id, state, 'voiding', now)
      return finishing.tryFinishing(id)
    })
    await each(listUnfinished(db, 'payment_intents', before, batch), ({ id }) => finishing.tryFinishing(id))
    await each(listOpenRefunds(db, before, batch), ({ id }) => finishing.tryRefunding(id))
    await each(listLeftCharges(db, since(chargePatience), batch), ({ id }) => charges.tryVoidingCharge(id))
    await each(listUnfinished(db, 'platform_charges', before, batch), ({ id }) =>
      charges.tryFinishingCharge(id),
    )
  }
}
