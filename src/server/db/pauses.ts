import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a row of `reservations` is in the way of a session of its practitioner at `span`, a range, with `pause` minutes
 * after it: two sessions lie at least that pause apart, whichever is first. One that was booked under a longer pause keeps it.
 */
export const isInTheWay = (span: RawBuilder<unknown>, pause: RawBuilder<unknown>) => sql<boolean>`
  (blocked && tstzrange(lower(${span}) - make_interval(mins => ${pause}), upper(${span}) + make_interval(mins => ${pause}))
  and (blocked && with_pause(${span}, ${pause}) or with_pause(during, ${pause}) && ${span}))`
