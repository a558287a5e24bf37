import type { Role } from '#contract/endpoint.ts'
import { type GatewayIncident, incidentKinds } from '#contract/back-office/payments.ts'
import type { MailPreview } from '../http/development-mails.ts'
import type { Mail, Sender } from '../integrations/mail/port.ts'
import {
  accountDeletedMail,
  changeAskedMail,
  changeEmailMail,
  confirmationMail,
  emailChangedMail,
  emailTakenMail,
  passwordChangedMail,
  secondFactorReplacedMail,
  passwordMail,
  welcomeMail,
} from '../modules/accounts/accounts.mails.ts'
import { absenceMail } from '../modules/back-office/absences.mails.ts'
import { decisionMail } from '../modules/back-office/decisions.mails.ts'
import { auditAnchorMail } from '../modules/back-office/audit-chain.mails.ts'
import { incidentMail } from '../modules/back-office/incidents.mails.ts'
import { lateReturnsMail } from '../modules/back-office/late-returns.mails.ts'
import { vettingLapseMail } from '../modules/back-office/vetting-lapses.mails.ts'
import {
  type SessionFailure,
  type SessionMail,
  sessionMail,
} from '../modules/bookings/mails/bookings.mails.ts'
import {
  type MailRecipient,
  recipientsOf,
  type SessionMailKind,
} from '../modules/bookings/mails/bookings.mails.rules.ts'
import { calendarEndedMail } from '../modules/calendars/calendars.mails.ts'
import { unreadMail } from '../modules/chat/chat.mails.ts'
import {
  type HelpMail,
  helpMail,
  type HelpMailKind,
  helpMailKinds,
} from '../modules/get-help/get-help.mails.ts'
import { waitlistMail, type WaitlistMailKind, waitlistMailKinds } from '../modules/waitlist/waitlist.mails.ts'
import { type VettingMailKind, vettingMail } from '../modules/practitioners/vetting/vetting.mails.ts'
import {
  billingMail,
  type BillingMailKind,
  type Facts,
  videoOrderMail,
} from '../modules/subscriptions/subscriptions.mails.ts'
import {
  recipientsOf as seriesRecipientsOf,
  type SeriesMail,
  seriesMailKinds,
} from '../modules/series/series.mail-facts.ts'
import { formerClientMail, seriesMail } from '../modules/series/series.mails.ts'
import { videoMail } from '../modules/subscriptions/video-orders.mails.ts'
import type { VideoMailKind, VideoStep } from '../modules/subscriptions/video-orders.rules.ts'

const sender: Sender = { name: 'Hearth', address: 'hello@hearth.test' }
type Person = { email: string; firstName: string; lastName: string; verified: boolean }
type People = { client: Person; practitioner: Person }
const madeUp: People = {
  client: { email: 'robin.vale@example.test', firstName: 'Robin', lastName: 'Vale', verified: true },
  practitioner: {
    email: 'priya.patel@example.test',
    firstName: 'Priya',
    lastName: 'Patel',
    verified: true,
  },
}
const at = (text: string) => new Date(text)
const id = '01890a5d-ac96-774b-bcce-b302099a8057'

/**
 * Every mail that the product writes, with made-up people: the one list of them. A test sees that no template of any
 * module is missing here; that no kind of one is, the compiler sees.
 */
export function mailPreviews(publicUrl: string, people = madeUp): MailPreview[] {
  const { client, practitioner } = people
  const head = { sender, publicUrl, ...people }
  const link = (path: string) => `${publicUrl}${path}?token=made-up`
  const addressed = (isConfirmed: boolean) => ({ ...client, role: 'client' as const, isConfirmed })
  const token = (path: string) => `${publicUrl}${path}#token=made-up`
  return [
    ...variants('accounts.welcomeMail', {
      'to a client': welcome('client', token('/verify-email')),
      'to a practitioner': welcome('therapist', token('/therapist/verify-email')),
      'to a client whose address is known to be theirs': welcome('client', null),
    }),
    ...variants('accounts.confirmationMail', {
      always: confirmationMail(client.email, client.firstName, token('/verify-email')),
    }),
    ...variants('accounts.passwordMail', {
      'to a confirmed address': passwordMail(addressed(true), link('/reset-password')),
      'whose address is not confirmed': passwordMail(addressed(false), link('/reset-password')),
    }),
    ...variants('accounts.passwordChangedMail', {
      'to a confirmed address': passwordChangedMail(
        addressed(true),
        `${publicUrl}/forgot-password`,
        publicUrl,
      ),
      'whose address is not confirmed': passwordChangedMail(
        addressed(false),
        `${publicUrl}/forgot-password`,
        publicUrl,
      ),
    }),
    ...variants('accounts.secondFactorReplacedMail', {
      always: secondFactorReplacedMail(addressed(true), `${publicUrl}/admin/forgot-password`),
    }),
    ...variants('accounts.changeEmailMail', {
      always: changeEmailMail(client.email, client.firstName, token('/confirm-email')),
    }),
    ...variants('accounts.changeAskedMail', {
      always: changeAskedMail(client.email, client.firstName, `${publicUrl}/forgot-password`),
    }),
    ...variants('accounts.emailTakenMail', {
      always: emailTakenMail(client.email, `${publicUrl}/sign-in`, `${publicUrl}/forgot-password`),
    }),
    ...variants('accounts.emailChangedMail', {
      'with a password': emailChangedMail(client.email, client.firstName, publicUrl, false),
      'with another account': emailChangedMail(client.email, client.firstName, publicUrl, true),
    }),
    ...variants('accounts.accountDeletedMail', {
      always: accountDeletedMail(client.email, client.firstName, publicUrl),
    }),
    ...sessionMails(head),
    ...seriesMails(head),
    ...helpMails(head),
    ...waitlistMails(head),
    ...variants('chat.unreadMail', {
      'to a client': unread(client, 'client'),
      'to a practitioner': unread(practitioner, 'therapist'),
      'to an address that nobody has confirmed': unread({ ...client, verified: false }, 'client'),
    }),
    ...vettingMails(publicUrl, practitioner),
    ...billingMails(head),
    ...variants('subscriptions.videoOrderMail', {
      always: videoOrderMail(
        'office@example.test',
        {
          practitioner_id: 7,
          full_name: `${practitioner.firstName} ${practitioner.lastName}`,
          price: 10,
          ordered_at: '2026-06-01T09:00:00Z',
        },
        publicUrl,
      ),
    }),
    ...videoMails(head),
    ...calendarMails(head),
    ...lateReturns(publicUrl, client),
    ...vettingLapses(publicUrl),
    ...incidents(publicUrl),
    ...variants('absences.absenceMail', {
      repeated: absenceMail('office@example.test', { practitioner_id: 12 }, publicUrl),
    }),
    ...variants(
      'decisions.decisionMail',
      Object.fromEntries(
        (['profile', 'fact', 'no_show', 'conversation', 'review'] as const).map((of) => [
          of,
          decisionMail('office@example.test', of, publicUrl),
        ]),
      ),
    ),
    ...auditAnchors(publicUrl),
  ]

  function welcome(role: Role, confirmUrl: string | null): Mail {
    const { email, firstName } = role === 'client' ? client : practitioner
    return welcomeMail({ email, firstName, role }, { confirmUrl, siteUrl: publicUrl })
  }
  function unread(to: Person, role: Role): Mail {
    return unreadMail({ to, role, dialogId: id, stopUrl: link('/unsubscribe'), publicUrl })
  }
}

type Head = { sender: Sender; publicUrl: string } & People

function variants(template: string, mails: Record<string, Mail>): MailPreview[] {
  return Object.entries(mails).map(([variant, mail]) => ({ template, variant, mail }))
}

function sessionMails(head: Head): MailPreview[] {
  const { client, practitioner } = head
  const kinds = Object.keys(recipientsOf) as SessionMailKind[]
  const online = {
    id,
    sequence: 3,
    isDeleted: false,
    type: 'online' as const,
    startsAt: at('2026-06-08T09:00:00Z'),
    endsAt: at('2026-06-08T09:50:00Z'),
    place: undefined,
    joinUrl: undefined,
    pricePence: 6000,
    changeUntil: undefined,
    cancelledBy: null,
    failure: undefined,
    frozenUntil: null,
    isChatClosed: false,
    disputeUntil: undefined,
    unpaid: undefined,
    payBy: undefined,
    dates: [],
  }
  const of = (kind: SessionMailKind, recipient: MailRecipient, more: Partial<SessionMail> = {}): Mail => {
    const goesBack = recipient === 'client' && ['cancelled', 'refunded', 'no_show_overturned'].includes(kind)
    return sessionMail(
      {
        kind,
        recipient,
        to: recipient === 'client' ? client : practitioner,
        zone: 'Europe/London',
        session: {
          ...online,
          joinUrl: recipient === 'client' ? 'https://rooms.example.test/priya' : undefined,
          changeUntil: at('2026-06-06T09:00:00Z'),
          cancelledBy: kind === 'cancelled' ? 'client' : null,
          frozenUntil: kind === 'frozen' ? at('2026-06-05T10:00:00Z') : null,
          isChatClosed: kind === 'frozen',
          disputeUntil: at('2026-06-22T09:20:00Z'),
          unpaid: ['charge_ahead', 'card_ahead', 'payment_failed'].includes(kind)
            ? {
                payAt: at('2026-06-06T09:00:00Z'),
                payBy: at('2026-06-07T09:00:00Z'),
                retryAt: null,
                wasTried: true,
              }
            : undefined,
          payBy: kind === 'unpaid' ? at('2026-06-07T09:00:00Z') : undefined,
        },
        movedFrom: kind === 'moved' ? at('2026-06-05T13:00:00Z') : null,
        practitioner: { id: 7, fullName: 'Priya Patel', listed: true },
        client,
        refunds: goesBack ? [{ amountPence: 6000, brand: 'visa', last4: '4242' }] : [],
        refundedDiscountPence: 0,
        others: [],
        refundFor: 'cancellation',
        happenedAt: at('2026-06-02T10:00:00Z'),
        isInOwnCalendar: false,
        mayBeInCalendar: true,
        stopUrl: kind.endsWith('before') ? `${head.publicUrl}/unsubscribe?token=made-up` : undefined,
        ...more,
      },
      head,
    )
  }
  const room = of('booked', 'client', {
    session: {
      ...online,
      sequence: 1,
      type: 'face_to_face',
      place: { name: 'Rosewood House', address: '12 Rose Lane, Bath, BA1 1AA' },
      pricePence: 8000,
    },
  })
  const failed = (failure: SessionFailure, recipient: MailRecipient) =>
    of('cancelled', recipient, {
      session: {
        ...online,
        sequence: 4,
        cancelledBy: failure === 'technical_failure' ? 'practitioner' : 'system',
        failure,
      },
      refunds: [{ amountPence: 6000, brand: 'visa', last4: '4242' }],
    })
  const dates = (kind: SessionMailKind, recipient: MailRecipient = 'client') =>
    of(kind, recipient, {
      session: {
        ...online,
        cancelledBy: kind === 'cancelled' ? 'system' : null,
        frozenUntil: kind === 'frozen' ? at('2026-06-05T10:00:00Z') : null,
        dates: [at('2026-06-08T09:00:00Z'), at('2026-06-15T09:00:00Z'), at('2026-06-22T09:00:00Z')],
      },
      refunds: [],
      mayBeInCalendar: false,
    })
  return [
    ...kinds.flatMap((kind) =>
      recipientsOf[kind].map((recipient) => ({
        template: 'bookings.sessionMail',
        variant: `${kind.replaceAll('_', ' ')}, to the ${recipient}`,
        mail: of(kind, recipient),
      })),
    ),
    ...variants('bookings.sessionMail', {
      'booked, face to face': room,
      'booked, into a calendar of their own': of('booked', 'practitioner', { isInOwnCalendar: true }),
      'cancelled by us, with three others': of('cancelled', 'client', {
        others: [
          { id: 8, fullName: 'Anna Bell', profession: 'Counsellor', fromPence: 5500 },
          { id: 9, fullName: 'Tom Okafor', profession: 'Psychologist', fromPence: 6000 },
          { id: 10, fullName: 'Ruth Cohen', profession: null, fromPence: 6500 },
        ],
      }),
      'cancelled, the practitioner did not come, to the client': failed('practitioner_absent', 'client'),
      'cancelled, the practitioner did not come, to them': failed('practitioner_absent', 'practitioner'),
      'cancelled, it did not work, to the client': failed('technical_failure', 'client'),
      'cancelled, it did not work, to the practitioner': failed('technical_failure', 'practitioner'),
      'cancelled, the client deleted their account, to the practitioner': of('cancelled', 'practitioner', {
        session: { ...online, cancelledBy: 'client', isDeleted: true },
        client: { firstName: 'A former client', lastName: '' },
        refunds: [],
      }),
      'refunded, a discounted session, to the practitioner': of('refunded', 'practitioner', {
        refunds: [{ amountPence: 4800, brand: 'visa', last4: '4242' }],
        refundedDiscountPence: 1200,
      }),
      'moved, to a place that is described anew': of('moved', 'client', {
        movedFrom: null,
        profileChange: 'place',
        session: {
          ...online,
          type: 'face_to_face',
          place: { name: 'Rosewood House', address: '2 Rose Lane, Bath, BA1 1AA' },
        },
      }),
      'frozen, dates of a series': dates('frozen'),
      'restored, dates of a series': dates('restored'),
      'cancelled, dates of a series, to the client': dates('cancelled'),
      'cancelled, dates of a series, to the practitioner': dates('cancelled', 'practitioner'),
      'to an address that nobody has confirmed': of('booked', 'client', {
        to: { ...client, verified: false },
      }),
      'a reminder, to an address that nobody has confirmed': of('day_before', 'practitioner', {
        to: { ...practitioner, verified: false },
      }),
    }),
  ]
}

function seriesMails(head: Head): MailPreview[] {
  const of = (
    kind: SeriesMail['kind'],
    recipient: SeriesMail['recipient'],
    verified = true,
    { facts = {}, series = {} }: { facts?: SeriesMail['facts']; series?: Partial<SeriesMail['series']> } = {},
  ) =>
    seriesMail(
      {
        kind,
        recipient,
        to: { ...(recipient === 'client' ? head.client : head.practitioner), verified },
        facts: {
          starts:
            kind === 'conflict' || kind === 'kept'
              ? ['2026-06-16T09:00:00Z']
              : ['2026-06-16T09:00:00Z', '2026-06-23T09:00:00Z'],
          alternatives: ['2026-06-16T10:00:00Z', '2026-06-17T09:00:00Z', '2026-06-18T09:00:00Z'],
          fee_pence: 6500,
          from_date: '2026-08-04',
          answer_by: '2026-08-01T09:00:00Z',
          refund_pence: 6000,
          zone: 'America/New_York',
          ...facts,
        },
        series: {
          hour: at('2026-06-09T09:00:00Z'),
          zone: 'Europe/London',
          everyWeeks: 1,
          feePence: 6000,
          pausedCause: kind === 'resumable' ? 'suspension' : 'unpaid',
          pausedUntil: at('2026-06-23T09:00:00Z'),
          proposedBy: 'client',
          proposedUntil: at('2026-06-15T09:00:00Z'),
          endedBy: 'practitioner',
          endCause: 'by_choice',
          endReason: 'I am moving to Leeds and will no longer be in on Tuesdays.',
          isNotTakenUp: false,
          ...series,
        },
        paid: [at('2026-06-09T09:00:00Z')],
        reserved: [at('2026-06-16T09:00:00Z'), at('2026-06-23T09:00:00Z')],
        areChecked: false,
        practitioner: { fullName: 'Priya Patel' },
        client: head.client,
      },
      head.publicUrl,
    )
  const otherHour = { facts: { replaced: { hour: '2026-06-05T13:00:00Z', every_weeks: 2 as const } } }
  const away = { series: { endedBy: 'system' as const, endCause: 'suspension' } }
  const former = (verified: boolean) =>
    formerClientMail(
      { ...head.practitioner, verified },
      { hour: '2026-06-09T09:00:00Z', zone: 'Europe/London' },
      head.publicUrl,
    )
  return [
    ...seriesMailKinds.flatMap((kind) =>
      seriesRecipientsOf[kind].map((recipient) => ({
        template: 'series.seriesMail',
        variant: `${kind} to the ${recipient}`,
        mail: of(kind, recipient),
      })),
    ),
    ...variants('series.seriesMail', {
      'another hour, to the client': of('agreed', 'client', true, otherHour),
      'another hour, to the practitioner': of('agreed', 'practitioner', true, otherHour),
      'an offer that ended with the listing, to the client': of('declined', 'client', true, away),
      'an offer that ended with the listing, to the practitioner': of('declined', 'practitioner', true, away),
      'to an address that nobody has confirmed': of('agreed', 'client', false),
      'agreed, to a practitioner whose address nobody has confirmed': of('agreed', 'practitioner', false),
    }),
    ...variants('series.formerClientMail', {
      'to a confirmed address': former(true),
      'to an address that nobody has confirmed': former(false),
    }),
  ]
}

function helpMails(head: Head): MailPreview[] {
  const { client, practitioner } = head
  const of = (kind: HelpMailKind, verified = true, began: HelpMail['began'] = null): Mail =>
    helpMail(
      {
        kind,
        to: { ...(kind === 'asked' ? practitioner : client), verified },
        sessionId: id,
        sequence: 3,
        practitionerName: 'Priya Patel',
        pricePence: 2500,
        answerBy: kind === 'asked' ? '14:32' : null,
        began,
        isReturned: false,
      },
      head.publicUrl,
    )
  return [
    ...helpMailKinds.map((kind) => ({ template: 'get-help.helpMail', variant: kind, mail: of(kind) })),
    ...variants('get-help.helpMail', {
      'to an address that nobody has confirmed': of('accepted', false),
      'asked, whose address is not confirmed': of('asked', false),
      'accepted, and sent late': of('accepted', true, {
        at: at('2026-06-08T13:05:00Z'),
        zone: 'Europe/London',
      }),
    }),
  ]
}

function waitlistMails(head: Head): MailPreview[] {
  const of = (
    kind: WaitlistMailKind,
    {
      verified = true,
      place = 'kept',
      isByHand = false,
      alsoAt = [],
    }: { verified?: boolean; place?: 'kept' | 'closed'; isByHand?: boolean; alsoAt?: Date[] } = {},
  ): Mail =>
    waitlistMail(
      {
        kind,
        to: { ...head.client, verified },
        path: '/my-sessions/waitlist',
        practitionerName: 'Priya Patel',
        ends: { at: at('2026-07-30T09:00:00Z'), timezone: 'Europe/London' },
        place,
        isByHand,
        session: {
          startsAt: at('2026-06-08T09:00:00Z'),
          alsoAt,
          timezone: 'Europe/London',
          pricePence: 6000,
          until: at('2026-06-02T13:20:00Z'),
        },
      },
      head.publicUrl,
    )
  return [
    ...waitlistMailKinds.map((kind) => ({
      template: 'waitlist.waitlistMail',
      variant: kind,
      mail: of(kind),
    })),
    ...variants('waitlist.waitlistMail', {
      'withdrawn as the practitioner was closed': of('withdrawn', { place: 'closed' }),
      'broadcast that the practitioner has sent by hand': of('broadcast', { isByHand: true }),
      'broadcast of several times': of('broadcast', { alsoAt: [at('2026-06-08T10:00:00Z')] }),
      'to an address that nobody has confirmed': of('offer', { verified: false }),
    }),
  ]
}

function vettingMails(publicUrl: string, practitioner: Person): MailPreview[] {
  const reasons: Record<VettingMailKind, string | null> = {
    approved: null,
    rejected: 'The licence number is not in the register of your body.',
    suspended: 'A complaint is being looked into.',
    reinstated: null,
    closed: 'You told us that you are leaving.',
    fact_accepted: null,
    fact_refused: 'The photograph is too dark to read.',
    expires_soon: null,
    captions_asked: null,
    expired: null,
  }
  const of = (
    kind: VettingMailKind,
    verified: boolean,
    hadSessions = true,
    isOut = kind === 'expired',
    isRenewed = false,
  ): Mail =>
    vettingMail(
      {
        kind,
        email: practitioner.email,
        firstName: practitioner.firstName,
        verified,
        fact: 'DBS certificate',
        factKind: 'dbs',
        reason: reasons[kind],
        expiresOn: '2026-09-01',
        hadSessions,
        isListed: !isOut,
        isSpare: false,
        isRenewed,
        isOut,
      },
      publicUrl,
    )
  return [
    ...Object.keys(reasons).map((kind) => ({
      template: 'practitioners.vettingMail',
      variant: kind.replace('_', ' '),
      mail: of(kind as VettingMailKind, true),
    })),
    ...variants('practitioners.vettingMail', {
      'suspended without sessions ahead': of('suspended', true, false),
      'closed without sessions ahead': of('closed', true, false),
      'reinstated after a document ran out': of('reinstated', true, true, true),
      'expired while the new one is checked': of('expired', true, true, true, true),
      'to an address that nobody has confirmed': of('suspended', false),
    }),
  ]
}

function billingMails(head: Head): MailPreview[] {
  const ahead = '2026-07-01T09:00:00Z'
  const invoice = {
    description: 'Subscription, 1 June to 1 July 2026',
    amount_pence: 3000,
    number: '2026-000042',
    until: ahead,
  }
  const facts: Record<BillingMailKind, Facts> = {
    receipt: { ...invoice, next_charge_at: ahead },
    payment_failed: {
      amount_pence: 3000,
      next_charge_at: '2026-06-03T09:00:00Z',
      lapses_at: '2026-06-08T09:00:00Z',
      reason: 'insufficient_funds',
    },
    lapsed: { amount_pence: 3000 },
    cancelled: { until: ahead },
    ended: { until: ahead },
    charge_refunded: invoice,
    charge_disputed: invoice,
    dispute_charged: { amount_pence: 6000, session_at: '2026-06-08T09:00:00Z' },
  }
  const of = (kind: BillingMailKind, verified = true): Mail =>
    billingMail({ kind, facts: facts[kind], to: { ...head.practitioner, verified } }, head.publicUrl)
  return [
    ...(Object.keys(facts) as BillingMailKind[]).map((kind) => ({
      template: 'subscriptions.billingMail',
      variant: kind.replace('_', ' '),
      mail: of(kind),
    })),
    ...variants('subscriptions.billingMail', {
      'to an address that nobody has confirmed': of('receipt', false),
    }),
  ]
}

function videoMails(head: Head): MailPreview[] {
  const step = (number: number, kind: VideoStep['kind'], more: Partial<VideoStep> = {}): VideoStep => ({
    number,
    kind,
    at: at('2026-06-01T09:00:00Z'),
    dates: [],
    date: null,
    note: null,
    file_id: null,
    undone_at: null,
    ...more,
  })
  const dates = [at('2026-06-09T09:00:00Z'), at('2026-06-10T13:00:00Z')]
  const propose = step(1, 'propose', { dates })
  const take = step(2, 'take_date', { date: at('2026-06-09T09:00:00Z') })
  const upload = step(3, 'upload')
  const undone = { undone_at: at('2026-06-02T09:00:00Z') }
  const of = (kind: VideoMailKind, steps: VideoStep[], verified = true): Mail => {
    const last = steps.at(-1)
    const mail =
      last &&
      videoMail(
        {
          kind,
          step: last,
          course: { done_at: null, steps },
          practitioner: { id: 7, timezone: 'Europe/Madrid', ...head.practitioner, verified },
          adminEmail: 'office@example.test',
        },
        head.publicUrl,
      )
    if (!mail) throw new Error(`There is no mail ${kind}.`)
    return mail
  }
  const mails: Record<VideoMailKind, Mail> = {
    video_dates: of('video_dates', [propose]),
    video_dates_asked: of('video_dates_asked', [step(2, 'ask_dates', { note: 'Mornings.' })]),
    video_date_agreed: of('video_date_agreed', [propose, take]),
    video_date_agreed_office: of('video_date_agreed_office', [propose, take]),
    video_ready: of('video_ready', [propose, take, upload]),
    video_change_asked: of('video_change_asked', [upload, step(4, 'ask_change', { note: 'Shorter.' })]),
    video_approved: of('video_approved', [upload, step(4, 'approve')]),
    video_approved_office: of('video_approved_office', [upload, step(4, 'approve')]),
    video_taken_back: of('video_taken_back', [take, { ...propose, number: 3, ...undone }]),
  }
  return [
    ...(Object.keys(mails) as VideoMailKind[]).map((kind) => ({
      template: 'video-orders.videoMail',
      variant: kind.replaceAll('_', ' '),
      mail: mails[kind],
    })),
    ...variants('video-orders.videoMail', {
      'video dates in the place of an agreed one': of('video_dates', [take, { ...propose, number: 3 }]),
      'video upload taken back': of('video_taken_back', [propose, take, { ...upload, ...undone }]),
      'to an address that nobody has confirmed': of('video_dates', [propose], false),
    }),
  ]
}

function calendarMails(head: Head): MailPreview[] {
  const of = (why: 'revoked' | 'removed', verified = true): Mail =>
    calendarEndedMail(
      {
        id,
        to: { ...head.practitioner, verified },
        why,
        email: 'priya@gmail.test',
        endedAt: at('2026-06-02T10:00:00Z'),
      },
      head,
    )
  return variants('calendars.calendarEndedMail', {
    'access taken back': of('revoked'),
    'our calendar removed': of('removed'),
    'to an address that nobody has confirmed': of('revoked', false),
  })
}

function auditAnchors(publicUrl: string): MailPreview[] {
  const anchor = `1204:${'9f86d081884c7d65'.repeat(4)}`
  const of = (wrong: { seq: number } | null) =>
    auditAnchorMail('office@example.test', { at: new Date('2026-06-02T03:41:00Z'), anchor, wrong }, publicUrl)
  return variants('audit-chain.auditAnchorMail', { whole: of(null), changed: of({ seq: 1187 }) })
}

function lateReturns(publicUrl: string, client: Person): MailPreview[] {
  const first = {
    session_id: id,
    kind: 'refund' as const,
    booking_type: 'schedule' as const,
    amount: 60,
    card: 'visa ending in 4242',
    client: { full_name: `${client.firstName} ${client.lastName}`, email: client.email },
    since: '2026-06-01T10:00:00Z',
    promised_by: '2026-06-02T10:00:00Z',
    attempts: 7,
  }
  const of = (total: number) => lateReturnsMail('office@example.test', { first, total }, publicUrl)
  return variants('late-returns.lateReturnsMail', { 'of one': of(1), 'of several': of(3) })
}

function vettingLapses(publicUrl: string): MailPreview[] {
  const of = (sessions: number, frozen: number) =>
    vettingLapseMail(
      'office@example.test',
      {
        practitioner_id: 12,
        full_name: 'Priya Patel',
        facts: [{ name: 'DBS certificate', expires_on: '2026-06-15' }],
        lapses_at: '2026-06-15T23:00:00.000Z',
        sessions,
        frozen,
        next_cancelled_at: frozen > 0 ? '2026-06-18T23:00:00.000Z' : null,
        is_waiting: false,
      },
      publicUrl,
    )
  return variants('vetting-lapses.vettingLapseMail', {
    'one session': of(1, 0),
    'several sessions': of(3, 0),
    'lapsed already': of(2, 2),
  })
}

function incidents(publicUrl: string): MailPreview[] {
  const of = (
    kind: GatewayIncident['kind'],
    dispute: GatewayIncident['dispute'],
    paid_for: GatewayIncident['paid_for'] = 'session',
  ) =>
    incidentMail('office@example.test', { kind, reference: 'pi_3PQ8example', dispute, paid_for }, publicUrl)
  return variants('incidents.incidentMail', {
    ...Object.fromEntries(incidentKinds.map((kind) => [kind, of(kind, null)])),
    'a lost dispute': of('dispute', 'lost'),
    ...Object.fromEntries(
      incidentKinds.map((kind) => [`${kind} of a subscription`, of(kind, null, 'subscription')]),
    ),
    'a lost dispute of a subscription': of('dispute', 'lost', 'subscription'),
  })
}
