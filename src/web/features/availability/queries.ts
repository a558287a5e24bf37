import { queryOptions } from '@tanstack/react-query'
import type { AvailableSessions } from '#contract/availability/availability.ts'
import type { AppointmentType } from '#contract/common.ts'
import { callApi } from '#web/lib/api.ts'
import { serverNow } from '#web/lib/clock.ts'
import { addDays } from '#web/lib/time.ts'

/** Whose free times, and for what. */
export type SlotQuestion = {
  practitionerId: number
  /** Times long enough for this service; for the shortest of each format when absent. */
  serviceId?: number | undefined
  /** Times for a session of this length, in minutes, rather than of the service's. */
  minutes?: number | undefined
  appointmentType: AppointmentType
  /** The reader's zone. */
  zone: string
}

/** What the API is asked for some days of free times. */
export function freeTimesInput(
  { practitionerId, serviceId, minutes, appointmentType, zone }: SlotQuestion,
  from: string,
  days: number,
) {
  return {
    params: { id: practitionerId },
    query: {
      timezone: zone,
      from,
      days,
      service_id: serviceId,
      duration_minutes: minutes,
      appointment_type: appointmentType,
    },
  }
}

export type FreeTimes = Pick<AvailableSessions, 'slots' | 'fresh_until'>

const refreshRetryMs = 60_000
/** By then an answer has corrected the clock of a device that is wrong. */
const longestRefreshMs = 600_000

/** The week of free times that begins on a Monday of the reader's. Read again once its first time cannot be booked. */
export function weekQuery(question: SlotQuestion, monday: string) {
  return queryOptions({
    queryKey: ['slots', question, monday],
    queryFn: async ({ signal }): Promise<FreeTimes> => {
      const { slots, fresh_until } = await readFreeTimes(freeTimesInput(question, monday, 7), signal)
      return { slots, fresh_until }
    },
    refetchInterval: ({ state: { data, status } }) => {
      if (!data?.fresh_until) return false
      if (status === 'error') return refreshRetryMs
      return Math.min(Math.max(Date.parse(data.fresh_until) - serverNow(), 1000), longestRefreshMs)
    },
  })
}

/** `starts_at` of the first free time from a day on; null when there is none as far as times are offered. */
export function nextFreeQuery(question: SlotQuestion, from: string) {
  return {
    queryKey: ['next-slot', question, from],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      findNextFree(question, from, (input) => readFreeTimes(input, signal)),
  }
}

/** The number of days that the API returns at once, and how far ahead times are offered. */
const daysAtOnce = 31
const daysAhead = 62

type FreeTimesInput = ReturnType<typeof freeTimesInput>

/** Asks a month at a time until there is a free time. */
export async function findNextFree(
  question: SlotQuestion,
  from: string,
  read: (input: FreeTimesInput) => Promise<AvailableSessions>,
): Promise<string | null> {
  for (let days = 0; days < daysAhead; days += daysAtOnce) {
    const { slots } = await read(freeTimesInput(question, addDays(from, days), daysAtOnce))
    if (slots[0]) return slots[0].starts_at
  }
  return null
}

function readFreeTimes(input: FreeTimesInput, signal: AbortSignal): Promise<AvailableSessions> {
  return callApi('GET /practitioner/{id}/next-available-sessions', { ...input, signal })
}
