export interface Language {
  language_id: number
  language_name: string
}

const languageNames = [
  'English',
  'Welsh',
  'Scottish Gaelic',
  'Irish',
  'British Sign Language (BSL)',
  'Polish',
  'Romanian',
  'Punjabi',
  'Urdu',
  'Bengali',
  'Gujarati',
  'Hindi',
  'Tamil',
  'Telugu',
  'Malayalam',
  'Marathi',
  'Sinhala',
  'Nepali',
  'Arabic',
  'Persian',
  'Dari',
  'Pashto',
  'Kurdish',
  'Turkish',
  'Hebrew',
  'Yiddish',
  'Portuguese',
  'Spanish',
  'French',
  'Italian',
  'German',
  'Dutch',
  'Swedish',
  'Danish',
  'Norwegian',
  'Finnish',
  'Greek',
  'Bulgarian',
  'Hungarian',
  'Czech',
  'Slovak',
  'Lithuanian',
  'Latvian',
  'Ukrainian',
  'Russian',
  'Albanian',
  'Croatian',
  'Serbian',
  'Cantonese',
  'Mandarin',
  'Japanese',
  'Korean',
  'Vietnamese',
  'Thai',
  'Tagalog',
  'Malay',
  'Somali',
  'Amharic',
  'Tigrinya',
  'Swahili',
  'Yoruba',
  'Igbo',
  'Hausa',
  'Twi',
  'Shona',
  'Zulu',
  'Afrikaans',
] as const

/** The English name of a language in the list. */
export type LanguageName = (typeof languageNames)[number]

/** Languages spoken in the UK, ids by position: append, never reorder. */
export const languages: readonly Language[] = languageNames.map((language_name, index) => ({
  language_id: index + 1,
  language_name,
}))

/** The id of a language by its name. */
export function languageId(name: LanguageName): number {
  return languageNames.indexOf(name) + 1
}

/** A health insurer or an occupational scheme that pays for sessions. */
export interface InsuranceCompany {
  insurance_company_id: number
  insurance_company: string
}

/** Insurers of the UK market, ids by position: append, never reorder. */
export const insuranceCompanies: readonly InsuranceCompany[] = [
  'Bupa',
  'AXA Health',
  'Aviva',
  'Vitality',
  'WPA',
  'Cigna Healthcare',
  'Allianz Care',
  'Healix',
  'The Exeter',
  'Simplyhealth',
  'Freedom Health Insurance',
  'National Friendly',
  'Benenden Health',
  'Saga',
  'Health Shield',
  'Medicash',
  'Westfield Health',
  'Aetna International',
  'Now Health International',
  'CS Healthcare',
].map((insurance_company, index) => ({ insurance_company_id: index + 1, insurance_company }))

/** A form of address, with the dots that the specification writes. */
export interface Title {
  id: number
  name: string
}

export const titles: readonly Title[] = [
  { id: 1, name: 'Dr.' },
  { id: 2, name: 'Mr.' },
  { id: 3, name: 'Prof.' },
  { id: 4, name: 'Ms.' },
]

export interface Gender {
  id: number
  name: string
}

export const genders: readonly Gender[] = [
  { id: 1, name: 'Male' },
  { id: 2, name: 'Female' },
  { id: 3, name: 'Non-binary' },
]

/** Whom a practitioner sees, as stored and shown. */
export const ageGroups = [
  'Children (5 to 12)',
  'Teenagers (13 to 17)',
  'Adults (18 to 64)',
  'Older adults (65 and over)',
] as const
