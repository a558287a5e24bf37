/** A profession that a practitioner is listed under; on the wire also the "specialization" of a licence. */
export interface ProviderType {
  provider_id: number
  provider_type: string
}

export const providerTypes: readonly ProviderType[] = [
  { provider_id: 1, provider_type: 'Psychiatrist' },
  { provider_id: 2, provider_type: 'Clinical Psychologist' },
  { provider_id: 3, provider_type: 'Counselling Psychologist' },
  { provider_id: 4, provider_type: 'CBT Therapist' },
  { provider_id: 5, provider_type: 'Counsellor' },
  { provider_id: 6, provider_type: 'Psychotherapist' },
  { provider_id: 7, provider_type: 'Couples Therapist' },
  { provider_id: 8, provider_type: 'Family Therapist' },
  { provider_id: 9, provider_type: 'Art Therapist' },
]

/** A register or professional body whose number a practitioner can show. */
export interface LicenseBody {
  license_body_id: number
  name: string
  /** `provider_id`s of the professions that this body registers or accredits. */
  provider_ids: readonly number[]
  /**
   * What a made-up number looks like: `#` is a digit, `YYYY` and `YY` the year of registration, the rest is literal.
   * The shapes are the bodies' own, but each begins in a range that is not given out, so that no demo practitioner
   * carries a real person's number.
   */
  number_format: string
}

export const licenseBodies: readonly LicenseBody[] = [
  {
    license_body_id: 1,
    name: 'General Medical Council (GMC)',
    provider_ids: [1],
    number_format: '9######',
  },
  {
    license_body_id: 2,
    name: 'Health and Care Professions Council (HCPC), practitioner psychologists',
    provider_ids: [2, 3],
    number_format: 'PYL9#####',
  },
  {
    license_body_id: 3,
    name: 'Health and Care Professions Council (HCPC), arts therapists',
    provider_ids: [9],
    number_format: 'AS9####',
  },
  {
    license_body_id: 4,
    name: 'British Psychological Society (BPS)',
    provider_ids: [2, 3],
    number_format: '9#####',
  },
  {
    license_body_id: 5,
    name: 'British Association for Behavioural and Cognitive Psychotherapies (BABCP)',
    provider_ids: [4],
    number_format: '9#####',
  },
  {
    license_body_id: 6,
    name: 'British Association for Counselling and Psychotherapy (BACP)',
    provider_ids: [5, 6, 7],
    number_format: '009#####',
  },
  {
    license_body_id: 7,
    name: 'National Counselling and Psychotherapy Society (NCPS)',
    provider_ids: [5],
    number_format: 'NCSYY-9####',
  },
  {
    license_body_id: 8,
    name: 'UK Council for Psychotherapy (UKCP)',
    provider_ids: [6, 7, 8],
    number_format: 'YYYY9#####',
  },
  {
    license_body_id: 9,
    name: 'British Psychoanalytic Council (BPC)',
    provider_ids: [6],
    number_format: '9####',
  },
  {
    license_body_id: 10,
    name: 'Counselling and Psychotherapy in Scotland (COSCA)',
    provider_ids: [5, 6],
    number_format: '9####',
  },
  {
    license_body_id: 11,
    name: 'Association of Christians in Counselling and Linked Professions (ACC)',
    provider_ids: [5],
    number_format: '9#####',
  },
  {
    license_body_id: 12,
    name: 'College of Sexual and Relationship Therapists (COSRT)',
    provider_ids: [7],
    number_format: 'A9####',
  },
  {
    license_body_id: 13,
    name: 'Association for Family Therapy and Systemic Practice (AFT)',
    provider_ids: [8],
    number_format: '9#####',
  },
  {
    license_body_id: 14,
    name: 'EMDR Association UK',
    provider_ids: [2, 3, 4, 6],
    number_format: '9####',
  },
  {
    license_body_id: 15,
    name: 'Royal College of Psychiatrists (RCPsych)',
    provider_ids: [1],
    number_format: '9#####',
  },
]

/** A kind of session that can be offered, online or face to face. */
export interface Service {
  service_id: number
  name: string
  /** `provider_id`s of the professions that offer it. */
  provider_ids: readonly number[]
  /** Lengths in which it is usually offered, in minutes, the commonest first. */
  usual_minutes: readonly number[]
}

export const services: readonly Service[] = [
  {
    service_id: 1,
    name: 'Initial Consultation',
    provider_ids: [2, 3, 4, 5, 6, 7, 8, 9],
    usual_minutes: [30, 20, 50],
  },
  { service_id: 2, name: 'Individual Therapy', provider_ids: [2, 3, 4, 5, 6, 7, 8], usual_minutes: [50, 60] },
  { service_id: 3, name: 'Couples Therapy', provider_ids: [3, 5, 6, 7, 8], usual_minutes: [60, 90, 75] },
  { service_id: 4, name: 'Family Therapy', provider_ids: [2, 8], usual_minutes: [90, 60, 75] },
  { service_id: 5, name: 'CBT Session', provider_ids: [2, 3, 4], usual_minutes: [50, 60] },
  { service_id: 6, name: 'EMDR Session', provider_ids: [2, 3, 4, 6], usual_minutes: [60, 90] },
  { service_id: 7, name: 'Psychiatric Assessment', provider_ids: [1], usual_minutes: [60, 90] },
  { service_id: 8, name: 'Medication Review', provider_ids: [1], usual_minutes: [30, 45] },
  { service_id: 9, name: 'Psychiatric Follow-up', provider_ids: [1], usual_minutes: [30, 45] },
  { service_id: 10, name: 'ADHD Assessment', provider_ids: [1, 2], usual_minutes: [120, 90] },
  { service_id: 11, name: 'Psychological Assessment', provider_ids: [2, 3], usual_minutes: [90, 60] },
  { service_id: 12, name: 'Art Therapy Session', provider_ids: [9], usual_minutes: [60, 50] },
  { service_id: 13, name: 'Relationship Therapy for One', provider_ids: [7], usual_minutes: [50, 60] },
  { service_id: 14, name: 'Psychosexual Therapy', provider_ids: [7], usual_minutes: [60, 50] },
  { service_id: 15, name: 'Young Person Session', provider_ids: [2, 3, 4, 5, 8, 9], usual_minutes: [50] },
  { service_id: 16, name: 'Parent Consultation', provider_ids: [2, 8, 9], usual_minutes: [50, 60] },
  { service_id: 17, name: 'Walk and Talk Session', provider_ids: [5, 6], usual_minutes: [60] },
  { service_id: 18, name: 'Short Check-in', provider_ids: [3, 4, 5], usual_minutes: [30, 25] },
]

/** `provider_id`s by what they are, so that rules need no bare numbers. */
export const PSYCHIATRIST = 1
export const CLINICAL_PSYCHOLOGIST = 2
export const COUNSELLING_PSYCHOLOGIST = 3
export const CBT_THERAPIST = 4
export const COUNSELLOR = 5
export const PSYCHOTHERAPIST = 6
export const COUPLES_THERAPIST = 7
export const FAMILY_THERAPIST = 8
export const ART_THERAPIST = 9
