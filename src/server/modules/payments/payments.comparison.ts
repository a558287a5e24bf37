import { days, hours, later } from '../../clock.ts'
import type { Deps } from '../../deps.ts'
import { errorName } from '../../errors.ts'
import type { PaymentGateway } from '../../integrations/payment-gateway/port.ts'
import { paymentsCompareRestJob } from './payments.jobs.ts'
import * as store from './reconciliation.store.ts'

/** How long after its last change a payment is compared: longer than the banks' time limit for disputes. */
const comparedFor = days(200)
/** A payment is compared once a night. */
const betweenComparisons = hours(20)
/** A short job ends before the queue's time limit; another job continues. */
const compareBatch = 50
/** Payments that are compared at a time: few, since a gateway refuses more than so many calls a second. */
const concurrency = 3
/** Payments that one statement sets aside, and how many statements a night has for it. */
const asideBatch = 5000
const asideBatches = 100

type Dependencies = Pick<Deps, 'db' | 'clock' | 'queue' | 'log'> & { gateway: PaymentGateway }

/**
 * Compares payments that are open or can still be disputed with the gateway, by a chain of jobs of a batch each.
 * @param lookAgain reads a payment at the gateway and stores its state
 */
export function createComparison(
  { db, clock, queue, log, gateway }: Dependencies,
  lookAgain: (key: string) => Promise<void>,
) {
  return {
    /**
     * Begins a night: sets aside payments that are disputed no more and compares the first batch, unless the chain of
     * the night before is still under way. That one finds what is due again.
     */
    async begin(): Promise<void> {
      for (let batches = asideBatches; batches > 0; batches--) {
        if ((await store.setAside(db, { ...times(), limit: asideBatch })) < asideBatch) break
      }
      if (!(await queue.isUnderWay(db, paymentsCompareRestJob))) await compareSome()
    },

    continue: compareSome,
  }

  /** Another job continues with the rest. */
  async function compareSome(): Promise<void> {
    const now = clock.now()
    const due = await store.listToCompare(db, { gateway: gateway.name, ...times(), limit: compareBatch })
    for (let from = 0; from < due.length; from += concurrency) {
      await Promise.all(due.slice(from, from + concurrency).map((payment) => compareOne(payment, now)))
    }
    if (due.length >= compareBatch) await queue.enqueue(db, paymentsCompareRestJob, {})
  }

  async function compareOne(payment: store.ToCompare, now: Date): Promise<void> {
    await lookAgain(payment.id).catch((error: unknown) =>
      log.warn(
        { payment: payment.id, err: { name: errorName(error) } },
        'A payment could not be compared with the payment provider.',
      ),
    )
    await store.noteCompared(db, payment, now)
  }

  function times() {
    const now = clock.now()
    return { comparedBefore: later(now, -betweenComparisons), touchedSince: later(now, -comparedFor) }
  }
}
