import { z } from 'zod'
import { AppointmentType, Day, FreeText, Id, IdInPath, IdList, Pounds, PoundsSent } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { FilterData, PractitionerCard, PractitionerProfile } from './practitioners/practitioners.ts'
import {
  type ChoiceOf,
  choicesOf,
  type CountedFilter,
  countedFilters,
  type FilterName,
  filterNames,
  type FilterOfKind,
  filterTable,
  isOfKind,
  type ParameterOf,
  relaxableFilters,
} from './search-filters.ts'
import { defaultRadius, radii, type Radius } from './places.ts'
import { SentenceAnswer, SentenceRequest } from './search-sentence.ts'
import { PractitionerIds } from './shortlist.ts'
import { comparedAtMost, shortlistedByClient } from './shortlist-limits.ts'

export const sortOrders = ['recommended', 'price_asc', 'price_desc', 'rating', 'soonest', 'nearest'] as const

/**
 * Empty text in a query means that the filter is off, as a plain HTML form sends it. The outer `optional` returns at once
 * for a parameter that is absent, as most are.
 */
const off = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional()).optional()

const Flag = z.enum(['true', 'false', '1', '0', 'on']).transform((text) => ['true', '1', 'on'].includes(text))

/** The parameters of a filter. */
function fieldsOf(name: FilterName): Record<string, z.ZodType> {
  if (isOfKind(name, 'ids')) return { [name]: off(IdList) }
  if (isOfKind(name, 'words')) return { [name]: off(FreeText(filterTable[name].maxLength)) }
  if (isOfKind(name, 'choice')) return { [name]: off(z.enum(choicesOf(name))) }
  if (isOfKind(name, 'format')) return { [name]: off(AppointmentType) }
  const filter = filterTable[name]
  if (filter.kind === 'named') {
    const about = `A ${name}'s name; anything that is not one ("${filter.none}") is no filter.`
    return { [name]: off(FreeText(filter.maxLength)).describe(about) }
  }
  if (filter.kind === 'pounds') {
    const about =
      'Pounds. A practitioner matches when their fees, from the lowest to the highest, overlap the range.'
    return { [filter.low]: off(PoundsSent).describe(about), [filter.high]: off(PoundsSent) }
  }
  if (filter.kind === 'place') {
    return {
      [filter.place]: off(FreeText(filter.maxLength)).describe(
        'An outward code, such as LS6, or a town. Applies with `session_type=face_to_face` alone. Of a full postcode the inward part is not used.',
      ),
      [filter.within]: off(z.coerce.number().pipe(z.literal(radii))).describe(
        `Miles around \`near\`; ${defaultRadius} when absent.`,
      ),
    }
  }
  const { from, to, flag } = filter
  return {
    [from]: off(Day).describe(
      `A free time on one of these days, Europe/London. Without \`${from}\` from today, without \`${to}\` for seven days.`,
    ),
    [to]: off(Day),
    [flag]: off(Flag).describe('True: a free time in the range, also when no day is given.'),
  }
}

type Off<T extends z.ZodType> = ReturnType<typeof off<T>>
type Days = (typeof filterTable)[FilterOfKind<'days'>]
type Places = (typeof filterTable)[FilterOfKind<'place'>]
type FilterFields = Record<FilterOfKind<'ids'>, Off<typeof IdList>> &
  Record<FilterOfKind<'named' | 'words'>, Off<z.ZodString>> & {
    [Name in FilterOfKind<'choice'>]: Off<z.ZodType<ChoiceOf<Name>>>
  } & Record<FilterOfKind<'format'>, Off<typeof AppointmentType>> &
  Record<ParameterOf<FilterOfKind<'pounds'>>, Off<typeof PoundsSent>> &
  Record<Places['place'], Off<z.ZodString>> &
  Record<Places['within'], Off<z.ZodType<Radius>>> &
  Record<Days['from' | 'to'], Off<typeof Day>> &
  Record<Days['flag'], Off<typeof Flag>>

/** A search, with the parameters of every filter in the table. */
export const PractitionerQuery = z.object({
  ...(Object.assign({}, ...filterNames.map(fieldsOf)) as FilterFields),
  sort: off(z.enum(sortOrders)).describe(
    '`nearest` is `recommended` unless `near` applies. Practitioners whose place is not known come last.',
  ),
  page: off(z.coerce.number().int().min(1).max(100_000)),
  per_page: off(z.coerce.number().int().min(1).max(50)),
  counts: off(Flag).describe(
    'True: `meta.counts` with the number of practitioners for each value of each filter.',
  ),
})
export type PractitionerQuery = z.infer<typeof PractitionerQuery>

/** A free start with what books it: the shortest service of its format. */
export const NextStart = z.object({
  starts_at: z.string(),
  appointment_type: AppointmentType,
  service_id: Id,
})
export type NextStart = z.infer<typeof NextStart>

export const FoundPractitioner = PractitionerCard.extend({
  /** At most four, the earliest first, in the format searched for. A time offered in both formats counts once, as online. */
  next_starts: z.array(NextStart),
  /** While `near` applies: miles to the middle of the district of their nearest place, to a tenth; null without a known place. */
  distance_miles: z.number().nullable().optional(),
  /** The district of that place, such as "Headingley, Leeds". */
  district: z.string().nullable().optional(),
})
export type FoundPractitioner = z.infer<typeof FoundPractitioner>

const CountsByValue = z.record(z.string(), z.number().int())

/**
 * How many practitioners each value of a filter matches together with all other filters, that filter's own values left
 * out. A key is a value as the filter's parameter takes it: an id, a gender's name, pronouns, a format. `dates` has
 * `today`, and `week` for what `instant_booking=true` asks for alone. Every value is present, also with 0.
 */
export const FilterCounts = z.object({
  ...(Object.fromEntries(countedFilters.map((name) => [name, CountsByValue])) as Record<
    CountedFilter,
    typeof CountsByValue
  >),
  /** False where a filter is approximated, as a distance is. */
  exact: z.boolean(),
})
export type FilterCounts = z.infer<typeof FilterCounts>

const NeedsByValue = z.record(z.string(), z.enum(relaxableFilters))

export const PractitionerList = z.object({
  data: z.array(FoundPractitioner),
  meta: z.object({
    total: z.number().int(),
    page: z.number().int(),
    per_page: z.number().int(),
    /** Lowest and highest fee of all listed practitioners, unfiltered, so that a price slider keeps its scale. */
    min_price: Pounds,
    max_price: Pounds,
    /** When the first free time of this page ends or begins by itself, without a booking; null without practitioners. */
    fresh_until: z.string().nullable(),
    /** When nothing matches: the filters that alone keep everything out, and how many there are without, most first. */
    relax: z.array(z.object({ filter: z.enum(relaxableFilters), total: z.number().int() })).optional(),
    /** While `near` applies: the town or outward code that it stands for. */
    near: z.string().optional(),
    /** Why `near` is no filter: it stands for no place, or for several. `towns` are those to choose from. */
    near_unknown: z
      .object({
        reason: z.enum(['postcode', 'town', 'ambiguous', 'northern_ireland']),
        towns: z.array(z.string()),
      })
      .optional(),
    /** With `counts=true`, as soon as the instance has built its index. */
    counts: FilterCounts.optional(),
    /**
     * Beside `counts`, for values that match no practitioner: the filter that would have to be dropped for most matches.
     * A value without an entry needs more than one to be dropped.
     */
    needs: z.partialRecord(z.enum(countedFilters), NeedsByValue).optional(),
  }),
})
export type PractitionerList = z.infer<typeof PractitionerList>

export const AssistanceCategory = z.object({
  therapy_category_id: Id,
  /** The value of its radio button; `therapy_category_id` is one more. */
  value: z.number().int(),
  category_name: z.string(),
  description: z.string(),
  therapy_filter_questions: z.array(
    z.object({
      therapy_filter_question_id: Id,
      question_name: z.string(),
      hint: z.string().nullable(),
      /** 1: single-choice cards; 2: a list of radio buttons. */
      type: z.number().int(),
      therapy_filter_answers: z.array(
        z.object({
          therapy_filter_answer_id: Id,
          title: z.string(),
          /** Leads to the next question; without it the recommendation follows. */
          trigger_next: z.boolean(),
          /** The emergency numbers are shown as soon as it is chosen. */
          shows_danger: z.boolean(),
          /** `now`: the emergency numbers come before the next step. `watch`: they stand beside the questions. */
          danger: z.enum(['now', 'watch']).nullable(),
        }),
      ),
    }),
  ),
})
export type AssistanceCategory = z.infer<typeof AssistanceCategory>

/** At most as many as any category has questions. */
const maxAnswers = 20

export const RecommendationRequest = z.object({
  therapy_category_id: z.coerce.number().int().min(1).max(100),
  /**
   * From a question's id, or its place, to the answer's id. Places count from 1; with a key 0 all keys are places that
   * count from 0. A list is in the order of the questions.
   */
  question_answer_array: z.union([
    z
      .record(z.string().regex(/^\d{1,9}$/), IdInPath)
      .refine((map) => Object.keys(map).length <= maxAnswers, 'Too many answers.'),
    z.array(IdInPath).max(maxAnswers),
  ]),
})
export type RecommendationRequest = z.infer<typeof RecommendationRequest>

export const RecommendedTherapy = z.object({
  image: z.string(),
  therapy_type_description: z.string(),
  therapy_type_name: z.string(),
  therapy_type_id: Id,
  issue_id: Id.nullable(),
  /** Why, in a sentence or two. */
  reason: z.string(),
})
export type RecommendedTherapy = z.infer<typeof RecommendedTherapy>

export const searchEndpoints = defineEndpoints({
  'GET /filter/need-assistance': {
    access: 'anyone',
    summary: 'The questions of the guided search, by category',
    answer: z.array(AssistanceCategory),
  },
  'POST /find-recommended-therapy': {
    access: 'anyone',
    summary: 'The kind of therapy that the answers speak for. The answers are not stored',
    body: RecommendationRequest,
    answer: RecommendedTherapy,
  },
  'GET /filter/i-know': { access: 'anyone', summary: 'Everything one can filter by', answer: FilterData },
  'GET /appointment/{appointment_id}/alternatives': {
    access: ['client'],
    owner: 'appointment',
    summary: 'Up to three others who treat the same and are free in the week of a session',
    params: z.object({ appointment_id: z.uuid() }),
    answer: z.object({ data: z.array(PractitionerCard) }),
  },
  'GET /practitioner/get-practitioners': {
    access: 'anyone',
    summary: 'Listed practitioners that match every given filter; values within one filter are alternatives',
    query: PractitionerQuery,
    answer: PractitionerList,
  },
  'POST /search/parse': {
    access: 'anyone',
    summary: 'A sentence as filters. It is neither stored nor logged',
    body: SentenceRequest,
    answer: SentenceAnswer,
  },
  'GET /practitioner/{id}/profile': {
    access: 'anyone',
    summary: 'The public profile of a listed practitioner',
    params: z.object({ id: IdInPath }),
    answer: PractitionerProfile,
  },
  'GET /practitioner/{id}/similar': {
    access: 'anyone',
    summary: 'Up to three listed practitioners who treat the same issues in a like way, for a like price',
    params: z.object({ id: IdInPath }),
    answer: z.object({ data: z.array(FoundPractitioner) }),
  },
  'POST /practitioner/cards': {
    access: 'anyone',
    summary: 'The cards of some practitioners, in the order of their ids. Those not listed are left out',
    body: PractitionerIds(shortlistedByClient),
    answer: z.object({ data: z.array(FoundPractitioner) }),
  },
  'POST /practitioner/compare': {
    access: 'anyone',
    summary: 'The public profiles of up to three practitioners. Those not listed are left out',
    body: PractitionerIds(comparedAtMost),
    answer: z.object({ data: z.array(PractitionerProfile) }),
  },
})
