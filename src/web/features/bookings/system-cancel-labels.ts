import type { AppointmentDetail } from '#contract/bookings/bookings.ts'
import { returnedMoneyLabel } from '#web/lib/returned-money.ts'

type SystemCancelled = Pick<
  AppointmentDetail,
  'cancelled_by' | 'cancelled_because' | 'series_id' | 'refund' | 'dispute'
>

/** To its client, a session that the platform cancelled: how its title begins, and what became of the money. */
export function systemCancelLabels(session: SystemCancelled): { title: string; text: string } {
  if (session.cancelled_because === 'unpaid') {
    return {
      title: 'Not paid, so cancelled: your session',
      text: 'Nothing is charged, and the hour is free for others now.',
    }
  }
  const money = returnedMoneyLabel(session) ?? (isUnpaidDate(session) ? 'Nothing was charged.' : undefined)
  return {
    title: 'We had to cancel your session',
    text: ['We are sorry.', money].filter(Boolean).join(' '),
  }
}

/** Whether a cancelled session was a date of a series whose payment had not been taken. */
export const isUnpaidDate = ({ series_id, refund }: Pick<AppointmentDetail, 'series_id' | 'refund'>) =>
  series_id !== null && refund === null
