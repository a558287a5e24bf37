import { later, minutes } from '../../clock.ts'
import type { Tx } from '../../db/connection.ts'
import type { Deps } from '../../deps.ts'
import type { Mail } from '../../integrations/mail/port.ts'
import { time } from '../../integrations/mail/times.ts'
import type { Accounts } from '../accounts/accounts.service.ts'
import type { Mails, OutgoingMail } from '../mails/mails.service.ts'
import type { Payments } from '../payments/payments.service.ts'
import type { Practitioners } from '../practitioners/practitioners.service.ts'
import { helpMail, type HelpMailKind, helpMailKinds } from './get-help.mails.ts'
import { moneyState } from './get-help.rules.ts'
import { type DispatchRow, findDispatch, findOffer } from './get-help.store.ts'

type Dependencies = Pick<Deps, 'clock' | 'publicUrl'> & {
  mails: Mails
  accounts: Accounts
  practitioners: Practitioners
  payments: Payments
}

/** Age at which a mail that a session begins now says when it began. */
const lateAfter = minutes(3)

export type HelpOutbox = ReturnType<typeof createHelpOutbox>

/** Mails about a search for help. */
export function createHelpOutbox(deps: Dependencies) {
  const { clock, mails, accounts, practitioners, payments, publicUrl } = deps

  for (const kind of helpMailKinds) {
    mails.template(`help.${kind}`, {
      idPrefix: 'help',
      // A practitioner has two minutes to answer, and a session of fifteen has begun.
      isUrgent: kind === 'asked' || kind === 'accepted',
      load: (tx, mail) => load(tx, kind, mail),
    })
  }

  return {
    /** Mails the practitioner of an offer, in the transaction of the change. */
    async noteAsked(tx: Tx, offerId: string, accountId: string | undefined): Promise<void> {
      await mails.enqueue(tx, {
        template: 'help.asked',
        about: { type: 'help-offer', id: offerId },
        recipient: 'practitioner',
        accountId,
        dedupeKey: `help.asked ${offerId}`,
      })
    },

    note,

    /** Mails a client who was promised the release of the payment that it was released. */
    async released(tx: Tx, appointmentId: string): Promise<void> {
      const row = await findDispatch(tx, appointmentId)
      if (row?.state !== 'nobody') return
      const noted = await mails.lockAbout(tx, { type: 'help', id: appointmentId })
      const isPromised = noted.some(
        ({ template, outcome, claimed_until }) =>
          template === 'help.nobody' && (outcome === 'sent' || claimed_until !== null),
      )
      if (isPromised) await note(tx, row, 'returned')
    },
  }

  /** Mails the client of a search, in the transaction of the change. */
  async function note(
    tx: Tx,
    { appointment_id: id, client_id }: { appointment_id: string; client_id: string },
    kind: Exclude<HelpMailKind, 'asked'>,
  ): Promise<void> {
    await mails.enqueue(tx, {
      template: `help.${kind}`,
      about: { type: 'help', id },
      recipient: 'client',
      accountId: client_id,
      dedupeKey: `help.${kind} ${id}`,
    })
  }

  async function load(tx: Tx, kind: HelpMailKind, mail: OutgoingMail): Promise<Mail | 'obsolete'> {
    const offer = kind === 'asked' ? await findOffer(tx, mail.subject_id) : undefined
    if (kind === 'asked' && (offer?.state !== 'open' || offer.answer_by <= clock.now())) return 'obsolete'
    const id = offer?.appointment_id ?? mail.subject_id
    const row = await findDispatch(tx, id)
    if (!row) return 'obsolete'
    const practitionerId = offer?.practitioner_id ?? row.practitioner_id
    const account = offer ? await practitioners.accountOf(tx, practitionerId) : row.client_id
    const to = account && (await accounts.person(tx, account))
    const card = (await practitioners.cards(tx, [practitionerId])).get(practitionerId)
    if (!to || !card) return 'obsolete'
    const intents = await payments.standings(tx, id)
    return helpMail(
      {
        kind,
        to,
        sessionId: id,
        sequence: row.sequence,
        practitionerName: card.full_name,
        pricePence: row.fee_pence,
        answerBy: offer ? time(offer.answer_by, card.timezone) : null,
        began: kind === 'accepted' ? lateBeginning(row) : null,
        isReturned: moneyState({ intents, isPaid: row.paid_at !== null, refund: undefined }) === 'returned',
      },
      publicUrl,
    )
  }

  /** When the accepted session began, unless that was a moment ago. */
  function lateBeginning({ ended_at, client_timezone }: DispatchRow) {
    const isLate = ended_at !== null && later(ended_at, lateAfter) <= clock.now()
    return isLate ? { at: ended_at, zone: client_timezone ?? 'Europe/London' } : null
  }
}
