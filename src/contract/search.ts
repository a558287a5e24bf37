import { z } from 'zod'
import { AppointmentType, Day, FreeText, Id, IdInPath, IdList, Pounds, PoundsSent } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { FilterData, PractitionerCard, PractitionerProfile } from './practitioners/practitioners.ts'

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
  /** Pounds. A practitioner matches when their fees, from the lowest to the highest, overlap the range. */
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
    /** Lowest and highest fee of all listed practitioners, unfiltered, so that a price slider keeps its scale. */
    min_price: Pounds,
    max_price: Pounds,
    /** When nothing matches: the filters that alone keep everything out, and how many there are without, most first. */
    relax: z.array(z.object({ filter: z.enum(relaxableFilters), total: z.number().int() })).optional(),
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
const AnswerId = z.coerce.number().int().min(1).max(2_147_483_647)

export const RecommendationRequest = z.object({
  therapy_category_id: z.coerce.number().int().min(1).max(100),
  /** From a question's id, or its place counted from 1, to the answer's id; a list is in the order of the questions. */
  question_answer_array: z.union([
    z
      .record(z.string().regex(/^\d{1,9}$/), AnswerId)
      .refine((map) => Object.keys(map).length <= maxAnswers, 'Too many answers'),
    z.array(AnswerId).max(maxAnswers),
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
  'GET /practitioner/{id}/profile': {
    access: 'anyone',
    summary: 'The public profile of a listed practitioner',
    params: z.object({ id: IdInPath }),
    answer: PractitionerProfile,
  },
})
