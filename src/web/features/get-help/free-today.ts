import { queryOptions } from '@tanstack/react-query'
import type { PractitionerCard, Service } from '#contract/practitioners/practitioners.ts'
import type { FoundPractitioner, NextStart } from '#contract/search.ts'
import { callApi } from '#web/lib/api.ts'
import { serverNow } from '#web/lib/clock.ts'
import { dayIn, viewerZone } from '#web/lib/time.ts'
import { helpRoot } from './help-queries.ts'

/** A practitioner who works with an issue, and their first bookable time of today. */
export type FreeToday = { practitioner: PractitionerCard; service: Service; slot: NextStart }

/** The most that are offered, and how many are asked for what a session costs, since some may be listed no more. */
const offered = 3
const asked = 5
const refreshMs = 60_000

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
      const isToday = ({ next_starts: [first] }: FoundPractitioner) =>
        first !== undefined && dayIn(first.starts_at, zone) === today
      const read = await Promise.allSettled(data.filter(isToday).map((card) => firstTime(card, signal)))
      const found = read.flatMap((each) => (each.status === 'fulfilled' ? (each.value ?? []) : []))
      const failure = read.find((each) => each.status === 'rejected')
      if (failure && found.length === 0) throw failure.reason
      return found
        .sort((one, other) => Date.parse(one.slot.starts_at) - Date.parse(other.slot.starts_at))
        .slice(0, offered)
    },
    staleTime: refreshMs,
    // Times pass while the page is open.
    refetchInterval: refreshMs,
  })

/** The first time of a card, with the service that it is for; undefined if that is no longer offered. */
async function firstTime(
  practitioner: FoundPractitioner,
  signal: AbortSignal,
): Promise<FreeToday | undefined> {
  const [slot] = practitioner.next_starts
  const params = { id: practitioner.practitioner_id }
  const { services } = await callApi('GET /practitioner/{id}/profile', { params, signal })
  const service = services.online.find(({ service_id }) => service_id === slot?.service_id)
  return slot && service && { practitioner, service, slot }
}
