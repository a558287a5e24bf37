import { z } from 'zod'
import { AppointmentType, Day, FreeText, Id, Pounds } from './common.ts'
import { radii } from './places.ts'
import { choicesOf, filterNames, type FilterOfKind, filtersOfKind, filterTable } from './search-filters.ts'

/** A sentence about the practitioner that is looked for. */
export const SentenceRequest = z.object({
  q: FreeText(300, 'Keep it to 300 characters.').trim().min(1, 'Tell us what you are looking for.'),
})

const Ids = z.array(Id).optional()
const idFields = Object.fromEntries(filtersOfKind('ids').map((name) => [name, Ids])) as Record<
  FilterOfKind<'ids'>,
  typeof Ids
>

/** Parameters of a search. What the sentence does not name is absent. */
export const SentenceFilters = z.object({
  ...idFields,
  gender: z.string().optional(),
  pronouns: z.enum(choicesOf('pronouns')).optional(),
  /** A practitioner's, if the sentence has one. */
  name: z.string().max(filterTable.name.maxLength).optional(),
  min_price: Pounds.optional(),
  max_price: Pounds.optional(),
  session_type: AppointmentType.optional(),
  /** A town or an outward code, never a full postcode. */
  near: z.string().optional(),
  within: z.literal(radii).optional(),
  date_from: Day.optional(),
  date_to: Day.optional(),
  instant_booking: z.literal(true).optional(),
})
export type SentenceFilters = z.infer<typeof SentenceFilters>

export const SentenceAnswer = z.object({
  filters: SentenceFilters,
  /** The parts that became filters, in their order. */
  used: z.array(
    z.object({
      text: z.string(),
      filter: z.enum(filterNames),
      /** The id of a list's entry, the value of a choice, or null for a range or a name. */
      id: z.union([z.number().int(), z.string()]).nullable(),
    }),
  ),
  /** What became no filter, word for word. */
  unused: z.array(z.string()),
  /** A word that may mean several things. */
  ask: z
    .object({
      text: z.string(),
      options: z.array(z.object({ label: z.string(), filters: SentenceFilters })),
    })
    .nullable(),
  /** True when the sentence speaks of danger: the emergency numbers come first. */
  safety: z.boolean(),
})
export type SentenceAnswer = z.infer<typeof SentenceAnswer>
