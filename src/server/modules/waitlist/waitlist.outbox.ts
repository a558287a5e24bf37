import type { Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { OfferedSessions } from '../bookings/bookings.offered.ts'
import type { Mails, OutgoingMail } from '../mails/mails.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { clocksOf } from '../availability/availability.service.ts'
import {
  waitlistMail,
  type WaitlistMailKind,
  waitlistMailKinds,
  type WaitlistFacts,
} from './waitlist.mails.ts'
import { startedTurnEnd } from './turns.ts'
import { isLive } from './waitlist.rules.ts'
import * as offerStore from './offers.store.ts'
import * as wishStore from './wishes.store.ts'
import * as store from './waitlist.store.ts'

type Dependencies = Pick<Deps, 'clock' | 'publicUrl'> & {
  mails: Mails
  accounts: Accounts
  practitioners: Practitioners
  offered: Pick<OfferedSessions, 'find' | 'priceFor'>
}

/** What a mail about an offer stores: until when the turn is promised, as ISO text. */
type Promised = { until?: string }
type About = { type: 'waitlist-offer' | 'waitlist-entry' | 'search-wish'; id: string }

export type WaitlistOutbox = ReturnType<typeof createWaitlistOutbox>

/** Mails of the waitlist. The clock of a turn starts when its mail was handed over. */
export function createWaitlistOutbox(deps: Dependencies) {
  const { clock, mails, accounts, practitioners, offered, publicUrl } = deps
  let start: (tx: Tx, offerId: string, promised?: Date) => Promise<void> = async () => undefined

  for (const kind of waitlistMailKinds) {
    mails.template<Promised>(`waitlist.${kind}`, {
      idPrefix: 'waitlist',
      load: (tx, mail) => load(tx, kind, mail),
      isUrgent: kind === 'offer' || kind === 'broadcast',
      ...(kind === 'offer' ? { handedOver } : {}),
    })
  }

  return {
    /** Registers who starts the clock of a turn. */
    startWith(port: typeof start): void {
      start = port
    },

    /** Mails a client, in the transaction of the change. `version` tells repetitions of the same change apart. */
    async note(tx: Tx, kind: WaitlistMailKind, about: About, clientId: string, version = 0): Promise<void> {
      await mails.enqueue(tx, {
        template: `waitlist.${kind}`,
        about,
        recipient: 'client',
        accountId: clientId,
        dedupeKey: `waitlist.${kind} ${about.id} ${version}`,
      })
    },

    /** Mails a client whose place has ended with the practitioner's profile, unless an apology that says so waits. */
    async noteClosed(tx: Tx, entry: { id: string; client_id: string }): Promise<void> {
      const last = await offerStore.findLastWithdrawn(tx, entry.id)
      const mailed = last ? await mails.about(tx, { type: 'waitlist-offer', id: last.id }) : []
      if (mailed.some((mail) => mail.template === 'waitlist.withdrawn' && mail.outcome === null)) return
      await this.note(tx, 'closed', { type: 'waitlist-entry', id: entry.id }, entry.client_id)
    },

    /** Drops the unsent mail of an offer that is over. */
    async withdraw(tx: Tx, offerId: string): Promise<void> {
      await mails.withdraw(tx, { type: 'waitlist-offer', id: offerId }, [
        'waitlist.offer',
        'waitlist.broadcast',
      ])
    },
  }

  async function handedOver(tx: Tx, { id, subject_id }: OutgoingMail<Promised>): Promise<void> {
    const sent = (await mails.about(tx, { type: 'waitlist-offer', id: subject_id })).find(
      (mail) => mail.id === id,
    )
    const { until } = (sent?.data ?? {}) as Promised
    await start(tx, subject_id, until === undefined ? undefined : new Date(until))
  }

  async function load(
    tx: Tx,
    kind: WaitlistMailKind,
    mail: OutgoingMail<Promised>,
  ): Promise<Mail | 'obsolete'> {
    const facts = await factsOf(tx, kind, mail)
    const to = mail.account_id ? await accounts.person(tx, mail.account_id) : undefined
    if (!facts || !to) return 'obsolete'
    return waitlistMail({ kind, to, ...facts }, publicUrl)
  }

  async function factsOf(
    tx: Tx,
    kind: WaitlistMailKind,
    mail: OutgoingMail<Promised>,
  ): Promise<WaitlistFacts | undefined> {
    if (kind === 'wish') {
      return (await wishStore.findWish(tx, mail.subject_id)) && { path: '/my-sessions/waitlist' }
    }
    if (mail.subject_type === 'waitlist-entry') {
      return aboutEntry(tx, mail.subject_id, { alsoEnded: kind === 'closed' })
    }
    const offer = await offerStore.findOffer(tx, mail.subject_id)
    const entry = offer && (await store.findEntry(tx, offer.entry_id))
    if (!offer || !entry) return undefined
    if (kind !== 'withdrawn' && offer.state !== 'open') return undefined
    const together =
      kind === 'broadcast' && !offer.by_hand ? await offerStore.listBroadcastsWith(tx, offer) : []
    // The mail of the first to start is about them all.
    if (together[0] && together[0].id !== offer.id) return undefined
    // A client whose place has ended still hears that the time they were offered has gone.
    const facts = await aboutEntry(tx, entry.id, { alsoEnded: kind === 'withdrawn' })
    const appointment = offer.appointment_id ? await offered.find(tx, offer.appointment_id) : undefined
    const service = await practitioners.serviceOf(
      tx,
      entry.practitioner_id,
      entry.service_id,
      entry.appointment_type,
    )
    const price = appointment
      ? appointment.fee_pence - appointment.discount_pence
      : (await offered.priceFor(tx, entry.client_id, service?.fee_pence ?? 0)).duePence
    const until = kind === 'offer' ? await promise(tx, offer, mail) : null
    return (
      facts && {
        ...facts,
        path: together.length > 1 ? '/my-sessions/waitlist' : `/book-therapist?offer=${offer.id}`,
        isByHand: offer.by_hand,
        session: {
          startsAt: offer.starts_at,
          alsoAt: together.slice(1).map(({ starts_at }) => starts_at),
          timezone: offer.timezone,
          pricePence: price,
          until,
        },
      }
    )
  }

  /** The end of the turn as the mail names it, kept with the mail for when it was handed over. */
  async function promise(tx: Tx, offer: offerStore.OfferRow, mail: OutgoingMail<Promised>): Promise<Date> {
    const until =
      offer.expires_at ??
      startedTurnEnd(
        { madeAt: offer.made_at, startsAt: offer.starts_at },
        clock.now(),
        clocksOf(offer.timezone),
      )
    await mails.setData(tx, mail.id, { until: until.toISOString() })
    return until
  }

  async function aboutEntry(
    tx: Tx,
    id: string,
    { alsoEnded = false } = {},
  ): Promise<WaitlistFacts | undefined> {
    const entry = await store.findEntry(tx, id)
    if (!entry || (!alsoEnded && !isLive(entry.state))) return undefined
    const card = (await practitioners.cards(tx, [entry.practitioner_id])).get(entry.practitioner_id)
    const closing =
      entry.state === 'ended' ? await practitioners.closingOf(tx, entry.practitioner_id) : undefined
    return (
      card && {
        path: '/my-sessions/waitlist',
        practitionerName: card.full_name,
        ends: { at: entry.ends_at, timezone: entry.timezone },
        place: isLive(entry.state) ? ('kept' as const) : closing ? ('closed' as const) : ('ended' as const),
      }
    )
  }
}
