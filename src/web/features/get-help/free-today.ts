import { queryOptions } from '@tanstack/react-query'
import type { Slot } from '#contract/availability/availability.ts'
import type { PractitionerCard, Service } from '#contract/practitioners/practitioners.ts'
import { callApi } from '#web/lib/api.ts'
import { serverNow } from '#web/lib/clock.ts'
import { dayIn, viewerZone } from '#web/lib/time.ts'
import { helpRoot } from './help-queries.ts'

/** A practitioner who works with an issue, and their first bookable time of today. */
export type FreeToday = { practitioner: PractitionerCard; service: Service; slot: Slot }

/** The most that are offered, and how many are asked for their times, since some have none that is long enough. */
const offered = 3
const asked = 5

/** Practitioners who work with an issue and can be booked online today, the soonest first. Today is the client's day. */
export const freeTodayQuery = (issueId: number) =>
  queryOptions({
    queryKey: [...helpRoot(), 'free today', issueId],
    queryFn: async ({ signal }): Promise<FreeToday[]> => {
      const { data } = await callApi('GET /practitioner/get-practitioners', {
        query: { issue_id: String(issueId), session_type: 'online', sort: 'soonest', per_page: asked },
        signal,
      })
      const zone = viewerZone()
      const today = dayIn(serverNow(), zone)
      const isToday = ({ next_available: { online } }: PractitionerCard) =>
        online !== null && dayIn(online, zone) === today
      const found = await Promise.all(data.filter(isToday).map((card) => firstTime(card, today, signal)))
      return found
        .flatMap((each) => each ?? [])
        .sort((one, other) => Date.parse(one.slot.starts_at) - Date.parse(other.slot.starts_at))
        .slice(0, offered)
    },
    staleTime: 60_000,
  })

/** Their first time of a day for the first of their online services; undefined if there is none. */
async function firstTime(
  practitioner: PractitionerCard,
  day: string,
  signal: AbortSignal,
): Promise<FreeToday | undefined> {
  const params = { id: practitioner.practitioner_id }
  const { services } = await callApi('GET /practitioner/{id}/profile', { params, signal })
  const [service] = services.online
  if (!service) return undefined
  const { slots } = await callApi('GET /practitioner/{id}/next-available-sessions', {
    params,
    query: {
      timezone: viewerZone(),
      from: day,
      days: 1,
      service_id: service.service_id,
      appointment_type: 'online',
    },
    signal,
  })
  const [slot] = slots
  return slot && { practitioner, service, slot }
}
