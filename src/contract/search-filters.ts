import type { AppointmentType } from './common.ts'

/*
 * What practitioners can be searched by. Browser and server load this file, so it knows no zod. The query's schema, the
 * conditions in SQL, relaxing, addresses, chips and forms all derive from the table.
 */

/** The id of the hint above the results that a sentence sent without scripts was not used whole. Its words are in no address. */
export const leftWordsId = 'left-words'

/** Days that a range without an end continues after its first day. */
export const defaultRangeDays = 7

export type Filter = {
  /** Of its field beside the results. */
  label: string
  /** The offer to drop it when nothing matches. A filter without one is never dropped. */
  relaxed?: string
  /** Its field on the page before the results. */
  form?: { label?: string; description?: string; placeholder?: string }
} & (
  | {
      /** Some ids of a list of `GET /filter/i-know`, of which a practitioner has at least one. */
      kind: 'ids'
      /** The letter that its values begin with in a search row's tags. */
      tag: string
      list: string
      /** The field with the name of an entry; its id has the name of the filter. */
      named: string
    }
  | {
      /** One name of a list of `GET /filter/i-know`; any other text is no filter. */
      kind: 'named'
      /** Column of a search row with the id of the name. */
      column: string
      list: string
      maxLength: number
      none: string
    }
  | {
      /** One of a few fixed values. */
      kind: 'choice'
      /** Column of practitioners and of search rows with the value, or null. */
      column: string
      /** Labels by value. */
      choices: Readonly<Record<string, string>>
      none: string
    }
  | {
      /** Words of a name, in part or mistyped. */
      kind: 'words'
      tag: string
      maxLength: number
    }
  | {
      /** A range of pounds that overlaps the practitioner's own. */
      kind: 'pounds'
      low: string
      high: string
      /** Columns of a search row, in pence. */
      columns: { lowest: string; highest: string }
    }
  | {
      /** How a session is held. */
      kind: 'format'
      columns: Record<AppointmentType, string>
      choices: Readonly<Record<AppointmentType, string>>
      none: string
    }
  | {
      /** A place within some miles of a town or an outward code. Applies to sessions face to face alone. */
      kind: 'place'
      place: string
      within: string
      maxLength: number
    }
  | {
      /** A free time on one of some days, in the wanted format if there is one. */
      kind: 'days'
      from: string
      to: string
      /** Is true for a free time in the range, also without a day. */
      flag: string
      columns: Record<AppointmentType, string>
    }
)

/** Each filter by its name: that of its parameter, if it has one alone. */
export const filterTable = {
  language_id: {
    kind: 'ids',
    tag: 'l',
    list: 'languages',
    named: 'language_name',
    label: 'Languages',
    relaxed: 'any language',
    form: { placeholder: 'Any language' },
  },
  issue_id: {
    kind: 'ids',
    tag: 'i',
    list: 'issues',
    named: 'issue_name',
    label: 'What you would like help with',
    relaxed: 'any concern',
    form: {
      label: 'What would you like help with?',
      description: 'As many as fit. You can leave it open.',
      placeholder: 'Anxiety, grief, sleep…',
    },
  },
  therapy_type_id: {
    kind: 'ids',
    tag: 't',
    list: 'therapy_types',
    named: 'therapy_type_name',
    label: 'Kinds of therapy',
    relaxed: 'any kind of therapy',
    form: { label: 'Therapy types', placeholder: 'Any kind' },
  },
  insurance_company_id: {
    kind: 'ids',
    tag: 'c',
    list: 'insurance_companies',
    named: 'insurance_company',
    label: 'Insurers',
    relaxed: 'any insurer, or none',
    form: {
      label: 'Insurance companies',
      description: 'Only if an insurer is to pay for it.',
      placeholder: 'Any, or none',
    },
  },
  provider_id: {
    kind: 'ids',
    tag: 'p',
    list: 'provider_types',
    named: 'provider_type',
    label: 'Type of practitioner',
    relaxed: 'any type of practitioner',
    form: { label: 'Who would you like to talk to?' },
  },
  gender: {
    kind: 'named',
    column: 'gender_id',
    list: 'genders',
    maxLength: 40,
    // The choice of no gender, in the specification's words.
    none: "it doesn't matter",
    label: 'Gender of the practitioner',
    relaxed: 'any gender',
  },
  pronouns: {
    kind: 'choice',
    column: 'pronouns',
    choices: {
      'she/her': 'she/her',
      'he/him': 'he/him',
      'they/them': 'they/them',
      'she/they': 'she/they',
      'he/they': 'he/they',
    },
    none: 'Any pronouns',
    label: 'Pronouns',
    relaxed: 'any pronouns',
  },
  name: {
    kind: 'words',
    tag: 'n',
    maxLength: 100,
    label: 'Name',
    relaxed: 'any name',
    form: {
      label: 'Therapist name',
      description: 'If you know who you are looking for. Part of the name is enough.',
    },
  },
  price: {
    kind: 'pounds',
    low: 'min_price',
    high: 'max_price',
    columns: { lowest: 'min_fee_pence', highest: 'max_fee_pence' },
    label: 'Price of a session',
    relaxed: 'any price',
  },
  session_type: {
    kind: 'format',
    columns: { online: 'offers_online', face_to_face: 'offers_face_to_face' },
    choices: { online: 'Online', face_to_face: 'Face-to-face' },
    none: 'Either',
    label: 'How you meet',
    relaxed: 'online or face to face',
  },
  near: {
    kind: 'place',
    place: 'near',
    within: 'within',
    maxLength: 60,
    label: 'Near',
    relaxed: 'any distance',
    form: {
      description: 'Only if you want to meet in person.',
      placeholder: 'Town or postcode',
    },
  },
  dates: {
    kind: 'days',
    from: 'date_from',
    to: 'date_to',
    flag: 'instant_booking',
    columns: { online: 'free_days_online', face_to_face: 'free_days_face_to_face' },
    label: 'When',
    relaxed: 'any day',
  },
} as const satisfies Record<string, Filter>

type Table = typeof filterTable
export type FilterName = keyof Table
export type FilterKind = Filter['kind']

/** The filters of a kind. */
export type FilterOfKind<Kind extends FilterKind> = {
  [Name in FilterName]: Table[Name]['kind'] extends Kind ? Name : never
}[FilterName]

/** What can be chosen of a filter with fixed values. */
export type ChoiceOf<Name extends FilterOfKind<'choice' | 'format'>> = keyof Table[Name]['choices'] & string

/** The parameters of a filter. */
export type ParameterOf<Name extends FilterName> = {
  [Each in Name]: Table[Each] extends { low: infer Low; high: infer High }
    ? Low | High
    : Table[Each] extends { from: infer From; to: infer To; flag: infer Flag }
      ? From | To | Flag
      : Table[Each] extends { place: infer Place; within: infer Within }
        ? Place | Within
        : Each
}[Name]

/** The columns with one value of a practitioner, which search rows repeat. */
export type FilterColumns = Record<Table[FilterOfKind<'named'>]['column'], number | null> &
  Record<Table[FilterOfKind<'choice'>]['column'], string | null>

export type RelaxableFilter = {
  [Name in FilterName]: Table[Name] extends { relaxed: string } ? Name : never
}[FilterName]

/** An order of filters. It does not compile without each of them. */
const allOf = <const Order extends readonly FilterName[]>(
  order: Order & (Exclude<FilterName, Order[number]> extends never ? unknown : never),
): readonly FilterName[] => order

export const filterOrder = {
  /** In an address, and of what can be relaxed. */
  address: allOf([
    'provider_id',
    'issue_id',
    'therapy_type_id',
    'language_id',
    'insurance_company_id',
    'gender',
    'pronouns',
    'name',
    'price',
    'session_type',
    'near',
    'dates',
  ]),
  /** In the panel beside the results. */
  panel: allOf([
    'session_type',
    'near',
    'dates',
    'price',
    'issue_id',
    'provider_id',
    'language_id',
    'therapy_type_id',
    'insurance_company_id',
    'gender',
    'pronouns',
    'name',
  ]),
  /** Of the chips of active filters. */
  chips: allOf([
    'issue_id',
    'session_type',
    'near',
    'dates',
    'price',
    'provider_id',
    'gender',
    'pronouns',
    'language_id',
    'therapy_type_id',
    'insurance_company_id',
    'name',
  ]),
  /** On the page before the results, which asks for these alone. */
  form: [
    'provider_id',
    'issue_id',
    'near',
    'gender',
    'pronouns',
    'language_id',
    'insurance_company_id',
    'therapy_type_id',
    'name',
  ],
} as const satisfies Record<string, readonly FilterName[]>

/** In the order of the table, which is that of the query's parameters. */
export const filterNames = Object.keys(filterTable) as FilterName[]

export function isOfKind<Kind extends FilterKind>(
  name: FilterName,
  ...kinds: readonly Kind[]
): name is FilterOfKind<Kind> {
  return (kinds as readonly FilterKind[]).includes(filterTable[name].kind)
}

/** The filters of a kind in the order of an address. */
export function filtersOfKind<Kind extends FilterKind>(...kinds: readonly Kind[]): FilterOfKind<Kind>[] {
  return filterOrder.address.filter((name) => isOfKind(name, ...kinds))
}

export const relaxableFilters = filterOrder.address.filter(
  (name): name is RelaxableFilter => 'relaxed' in filterTable[name],
)

/** The filters with a count beside each of their values. */
export type CountedFilter = FilterOfKind<'ids' | 'named' | 'choice' | 'format' | 'days'>

export const countedFilters: readonly CountedFilter[] = filtersOfKind(
  'ids',
  'named',
  'choice',
  'format',
  'days',
)

/** The ranges of days that are counted, both from today on: one day, and the days of a range without an end. */
export const countedDays = ['today', 'week'] as const

/** The columns with one value of a practitioner. */
const filterColumns = filtersOfKind('named', 'choice').map((name) => filterTable[name].column)

/** These columns alone of a row that has more. */
export function filterColumnsOf(row: FilterColumns): FilterColumns {
  return Object.fromEntries(filterColumns.map((column) => [column, row[column]])) as FilterColumns
}

/** The values of a filter's fixed choices. */
export function choicesOf<Name extends FilterOfKind<'choice' | 'format'>>(name: Name): ChoiceOf<Name>[] {
  return Object.keys(filterTable[name].choices) as ChoiceOf<Name>[]
}

/** The parameters of a filter, in the order of an address. */
export function parametersOf(name: FilterName): ParameterOf<FilterName>[] {
  if (isOfKind(name, 'pounds')) return [filterTable[name].low, filterTable[name].high]
  if (isOfKind(name, 'place')) return [filterTable[name].place, filterTable[name].within]
  if (isOfKind(name, 'days')) return [filterTable[name].from, filterTable[name].to, filterTable[name].flag]
  return [name]
}
