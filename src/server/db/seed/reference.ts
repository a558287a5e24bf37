import { guidedSearch } from './reference/guided-search.ts'
import { issues } from './reference/issues.ts'
import { genders, insuranceCompanies, languages, titles } from './reference/lists.ts'
import { phoneCodes } from './reference/phone-codes.ts'
import { licenseBodies, providerTypes, services } from './reference/professions.ts'
import { therapyTypes } from './reference/therapy-types.ts'
import { timezones } from './reference/timezones.ts'

/**
 * Everything that a new database holds before the first account. Ids are stable: a list only ever grows at its end, and
 * an entry that is no longer wanted keeps its id.
 */
export const referenceData = {
  providerTypes,
  issues,
  therapyTypes,
  languages,
  insuranceCompanies,
  licenseBodies,
  titles,
  genders,
  timezones,
  phoneCodes,
  services,
  guidedSearch,
} as const
