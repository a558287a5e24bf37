import { z } from 'zod'
import { earliestDay, latestDay } from './day-limits.ts'
import './sentences.ts'

/** Pounds on the wire, whole pence at most: 52.5 is £52.50. Inside the product money is integer pence. */
export const Pounds = z.number().meta({ description: 'Pounds sterling' })

/** An amount a client sends back for comparison; the server computes every price itself. */
export const PoundsSent = z.coerce.number().min(0).max(100_000)

/** ISO 8601 with offset, of a year that has four digits in every time zone, some hours later too. */
export const Instant = z.iso.datetime({ offset: true }).refine((text) => {
  const year = new Date(text).getUTCFullYear()
  return year >= 1900 && year < 9999
}, 'Must be a time between 1900 and 9998')

/** An instant that a client names, for something that happens in its lifetime. */
export const InstantSent = Instant.refine(
  (text) => new Date(text).getUTCFullYear() < 2200,
  'Must be a time between 1900 and 2199',
)

/** The start of a session as it was shown: where it was moved meanwhile, the answer is 409 `changed_elsewhere`. */
export const StartShown = InstantSent.optional()

/** A calendar day, `YYYY-MM-DD`, from 1900 to 2199; the database's checks have the same bounds. */
export const Day = z.iso
  .date()
  .refine((text) => text >= earliestDay && text <= latestDay, 'Must be a day between 1900 and 2199')

/** Weekdays as the wire has always spelt them, Monday first. Inside the product a weekday is a number, Monday 1. */
export const weekNames = ['Mon', 'Tue', 'Wed', 'Thr', 'Fri', 'Sut', 'Sun'] as const
export const WeekName = z.enum(weekNames)
export type WeekName = z.infer<typeof WeekName>

export const AppointmentType = z.enum(['online', 'face_to_face'])
export type AppointmentType = z.infer<typeof AppointmentType>

/** Where online sessions are held: in this product, or behind a link of the practitioner. */
export const RoomKind = z.enum(['hearth', 'own'])
export type RoomKind = z.infer<typeof RoomKind>

/** PostgreSQL's int. */
export const Id = z.number().int().min(1).max(2_147_483_647)
/** An id, or its digits as text, as older clients read it in an address. */
export const IdSent = z.preprocess(
  (value: number | string) => (typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value),
  Id,
)
export const IdInPath = z.coerce.number().int().min(1).max(2_147_483_647)

/** An id that is sent in any case, and kept and answered in lower case. */
export const UuidSent = z.uuid().toLowerCase()

/** A comma-joined list of ids in a query, `3,7`; empty text is an empty list. At most 100. */
export const IdList = z
  .string()
  .max(1100)
  .regex(/^\s*(\d{1,9}\s*(,\s*\d{1,9}\s*)*)?$/, 'Must be a comma-joined list of ids.')
  .transform((text) => [
    ...new Set(
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean)
        .map(Number),
    ),
  ])
  .refine((ids) => ids.length <= 100, 'At most 100 ids.')

/** An IANA zone name that this runtime knows. */
export const TimeZone = z.string().max(64).refine(isTimeZone, 'Must be an IANA time zone.')

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en-GB', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

export const Email = z
  .string()
  .trim()
  .max(254)
  .pipe(z.email('Enter an email address, such as name@example.com.'))
  .transform((email) => email.toLowerCase())

export const NewPassword = z
  .string()
  .min(8, 'Use at least 8 characters.')
  .max(128, 'Use at most 128 characters.')

/** Text that PostgreSQL can store: no NUL. */
export const FreeText = (max: number, tooLong = `Use at most ${max.toLocaleString('en-GB')} characters.`) =>
  z
    .string()
    .max(max, tooLong)
    .refine((text) => !text.includes('\u0000'), 'Contains a character that cannot be stored.')

export const PersonName = FreeText(100).trim().min(1, 'Enter a name.')

/** Asks for a page of a list; the first is 1. */
export const PageQuery = z.object({ page: z.coerce.number().int().min(1).max(100_000).optional() })
export const PageMeta = z.object({
  total: z.number().int(),
  page: z.number().int(),
  per_page: z.number().int(),
})
export type PageMeta = z.infer<typeof PageMeta>
/** Of a list that is counted up to 10,000. */
export const CappedPageMeta = PageMeta.extend({
  is_capped: z.boolean().optional().describe('Whether there are more than `total`'),
})

export const Success = z.literal('success')

export const Reference = {
  providerType: z.object({ provider_id: Id, provider_type: z.string() }),
  issue: z.object({ issue_id: Id, issue_name: z.string(), description: z.string() }),
  therapyType: z.object({ therapy_type_id: Id, therapy_type_name: z.string() }),
  language: z.object({ language_id: Id, language_name: z.string() }),
  insuranceCompany: z.object({ insurance_company_id: Id, insurance_company: z.string() }),
}

/** A month of the zone that the field names, `2026-06`. */
export const Month = z.string().regex(/^20\d{2}-(0[1-9]|1[0-2])$/, 'Must be a month, such as 2026-06.')

/** The zone of the client's clock, for the times in mails. One that the server does not know stops no booking. */
export const ViewerZone = TimeZone.nullish().catch(null)

/** The start of a session: an instant, or a text of `free_datetime` on the clocks of `timezone`, Europe/London without it. */
export const StartSent = z.union(
  [
    InstantSent,
    z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/)
      .refine((text) => InstantSent.safeParse(`${text.replace(' ', 'T')}:00Z`).success),
  ],
  'Enter a day and a time.',
)

/** A session as it was shown: where it has been changed meanwhile, the answer is 409 `changed_elsewhere`. */
export const SessionShown = z
  .object({ starts_at: InstantSent, service_id: IdSent.nullable(), appointment_type: AppointmentType })
  .optional()
