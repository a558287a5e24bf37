import type { Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import { clocksOf } from '../availability/availability.service.ts'
import type { Mails, OutgoingMail } from '../mails/mails.service.ts'
import type { Notifications } from '../notifications/notifications.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import {
  type Facts,
  recipientsOf,
  seriesMailKinds,
  type SeriesMailKind,
  type SeriesRecipient,
} from './series.mail-facts.ts'
import { formerClientMail, type FormerClientFacts, seriesMail } from './series.mails.ts'
import { isSuspended, newZoneOf, reaches, startOn } from './series.rules.ts'
import { findDate, listLive } from './series-dates.store.ts'
import { listPriceChanges } from './series-prices.store.ts'
import { findSeries, listLine, type SeriesRow } from './series.store.ts'

type Dependencies = Pick<Deps, 'clock' | 'publicUrl'> & {
  mails: Mails
  accounts: Accounts
  practitioners: Practitioners
  notifications: Pick<Notifications, 'notify'>
}

/** Where a notification leads. */
const pathOf: Record<SeriesRecipient, string> = {
  client: '/my-sessions',
  practitioner: '/therapist/series',
}

export type SeriesOutbox = ReturnType<typeof createSeriesOutbox>

/** Mails about series. Their dates are read at the time of sending. */
export function createSeriesOutbox(deps: Dependencies) {
  const { clock, mails, accounts, practitioners, notifications, publicUrl } = deps
  for (const kind of seriesMailKinds) {
    mails.template<Facts>(`series.${kind}`, { idPrefix: 'series', load: (tx, mail) => load(tx, mail, kind) })
  }

  mails.template<FormerClientFacts>('series.former_client', {
    idPrefix: 'series',
    async load(tx, { account_id, data }) {
      const to = account_id && (await accounts.person(tx, account_id))
      return to ? formerClientMail(to, data, publicUrl) : 'obsolete'
    },
  })

  return {
    /** Enqueues the mails about a change of a series and notifies the browsers of their recipients, in its transaction. */
    async note(
      tx: Tx,
      seriesId: string,
      kind: SeriesMailKind,
      { about = '', ...facts }: Facts & { about?: string } = {},
    ): Promise<void> {
      const row = await findSeries(tx, seriesId)
      if (!row) return
      for (const recipient of recipientsOf[kind]) {
        const accountId = recipient === 'client' ? row.client_id : row.practitioner_account_id
        await mails.enqueue(tx, {
          template: `series.${kind}`,
          about: { type: 'series', id: seriesId },
          recipient,
          accountId,
          ...(repeatable.has(kind) && about === ''
            ? {}
            : { dedupeKey: `series ${seriesId} ${kind} ${about} ${recipient}` }),
          data: facts,
        })
        await notifications.notify(tx, [accountId], { kind: 'session', path: pathOf[recipient] })
      }
    },

    /** Writes to the practitioner of a client whose account is deleted. The mail holds all that it needs. */
    async noteFormerClient(tx: Tx, row: SeriesRow): Promise<void> {
      await mails.enqueue(tx, {
        template: 'series.former_client',
        about: { type: 'practitioner', id: String(row.practitioner_id) },
        recipient: 'practitioner',
        accountId: row.practitioner_account_id,
        data: {
          hour: startOn(clocksOf(row.timezone), row.first_on, row.start_minute).toISOString(),
          zone: row.timezone,
        } satisfies FormerClientFacts,
      })
    },
  }

  async function load(tx: Tx, mail: OutgoingMail<Facts>, kind: SeriesMailKind): Promise<Mail | 'obsolete'> {
    const row = await findSeries(tx, mail.subject_id)
    const to = mail.account_id && (await accounts.person(tx, mail.account_id))
    if (!row || !to || !isCurrent(kind, row, mail.data)) return 'obsolete'
    if (await isAnswered(tx, kind, mail)) return 'obsolete'
    const card = (await practitioners.cards(tx, [row.practitioner_id])).get(row.practitioner_id)
    if (!card) return 'obsolete'
    const zone = clocksOf(row.timezone)
    const live = await listLive(tx, await listLine(tx, row.id), clock.now())
    const startsOf = (state: 'confirmed' | 'reserved') =>
      live.filter((each) => each.state === state).map(({ starts_at }) => starts_at)
    return seriesMail(
      {
        kind,
        recipient: mail.recipient as SeriesRecipient,
        to,
        facts: mail.data,
        series: {
          hour: startOn(zone, row.first_on, row.start_minute),
          zone: row.timezone,
          everyWeeks: row.every_weeks,
          feePence: row.fee_pence,
          pausedCause: row.paused_cause,
          pausedUntil: row.paused_until,
          proposedBy: row.proposed_by,
          proposedUntil: row.proposed_until,
          endedBy: row.ended_by,
          endCause: row.end_cause,
          endReason: row.end_reason,
          isNotTakenUp: row.end_cause === 'suspension' && !isSuspended(row, clock.now()),
        },
        // Those of a closed profile are about to be cancelled.
        paid: row.end_cause === 'closed' ? [] : startsOf('confirmed'),
        reserved: startsOf('reserved'),
        areChecked: live.some((each) => each.frozen_at !== null),
        practitioner: { fullName: card.full_name },
        client: { firstName: row.client_first_name, lastName: row.client_last_name },
      },
      publicUrl,
    )
  }
}

/** Whether what a mail asks for has been answered meanwhile: a date that is taken, or a new price. */
async function isAnswered(
  tx: Tx,
  kind: SeriesMailKind,
  { subject_id, data }: OutgoingMail<Facts>,
): Promise<boolean> {
  if (kind === 'conflict' && data.on_date)
    return (await findDate(tx, subject_id, data.on_date))?.state !== 'conflict'
  if (kind !== 'new_price') return false
  const open = (await listPriceChanges(tx, [subject_id])).filter(({ answer }) => answer === null)
  return !open.some(({ from_date }) => from_date === data.from_date)
}

/** Kinds of which a series may have several. */
const repeatable: ReadonlySet<SeriesMailKind> = new Set([
  'skipped',
  'paused',
  'resumable',
  'unlisted',
  'new_price',
])

/** Whether a mail still holds when it is sent. */
function isCurrent(kind: SeriesMailKind, row: SeriesRow, facts: Facts): boolean {
  switch (kind) {
    case 'asked':
    case 'proposed':
    case 'accepted':
      return row.state === 'proposed'
    case 'paused':
    case 'resumable':
      return row.state === 'paused'
    case 'agreed':
    case 'conflict':
    case 'kept':
    case 'price_accepted':
    case 'unlisted':
      return row.state !== 'ended'
    case 'new_price':
      return row.state !== 'ended' && (!facts.from_date || reaches(row, facts.from_date))
    case 'zone_changed':
      return newZoneOf(row) !== undefined
    case 'ending':
      return row.last_on !== null
    default:
      return true
  }
}
