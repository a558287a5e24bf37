import { z } from 'zod'
import { AppointmentType, Day, FreeText, IdList, Pounds, PoundsSent } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { FilterData, PractitionerCard } from './practitioners.ts'

export const sortOrders = ['recommended', 'price_asc', 'price_desc', 'rating', 'soonest'] as const

/** What can be relaxed when nothing matches: a filter by its parameter, price and dates each as a whole. */
export const relaxableFilters = [
  'provider_id',
  'issue_id',
  'therapy_type_id',
  'language_id',
  'insurance_company_id',
  'gender',
  'name',
  'price',
  'session_type',
  'dates',
] as const
export type RelaxableFilter = (typeof relaxableFilters)[number]

/** Empty text in a query means that the filter is off, as a plain HTML form sends it. */
const off = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

export const PractitionerQuery = z.object({
  language_id: off(IdList),
  issue_id: off(IdList),
  therapy_type_id: off(IdList),
  insurance_company_id: off(IdList),
  provider_id: off(IdList),
  /** A gender's name; anything that is not one ("it doesn't matter") is no filter. */
  gender: off(FreeText(40)),
  name: off(FreeText(100)),
  /** Pounds. Whoever's fees, from the lowest to the highest, overlap the range matches. */
  min_price: off(PoundsSent),
  max_price: off(PoundsSent),
  session_type: off(AppointmentType),
  /** A free time on one of these days, Europe/London. Without `date_from` from today, without `date_to` for seven days. */
  date_from: off(Day),
  date_to: off(Day),
  /** True: a free time in the range, also when no day is given. */
  instant_booking: off(
    z.enum(['true', 'false', '1', '0', 'on']).transform((text) => ['true', '1', 'on'].includes(text)),
  ),
  sort: off(z.enum(sortOrders)),
  page: off(z.coerce.number().int().min(1).max(100_000)),
  per_page: off(z.coerce.number().int().min(1).max(50)),
})
export type PractitionerQuery = z.infer<typeof PractitionerQuery>

export const PractitionerList = z.object({
  data: z.array(PractitionerCard),
  meta: z.object({
    total: z.number().int(),
    page: z.number().int(),
    per_page: z.number().int(),
    /** Bounds of all listed practitioners' fees, whatever is filtered, so that a slider stays where it is. */
    min_price: Pounds,
    max_price: Pounds,
    /** When nothing matches: the filters that alone keep everything out, and how many there are without, most first. */
    relax: z.array(z.object({ filter: z.enum(relaxableFilters), total: z.number().int() })).optional(),
  }),
})
export type PractitionerList = z.infer<typeof PractitionerList>

export const searchEndpoints = defineEndpoints({
  'GET /filter/i-know': { access: 'anyone', summary: 'Everything one can filter by', answer: FilterData },
  'GET /practitioner/get-practitioners': {
    access: 'anyone',
    summary: 'Listed practitioners that match every given filter; values within one filter are alternatives',
    query: PractitionerQuery,
    answer: PractitionerList,
  },
})
