import * as profession from '../reference/professions.ts'

/** Pounds, lowest and highest. */
type Pounds = readonly [number, number]

/** How a profession works: what a practitioner of it plausibly treats, uses, charges and holds. */
export interface Practice {
  providerTypeId: number
  /** Share of the directory. */
  weight: number
  /** Youngest age in independent practice. */
  startAge: number
  /** Chance of the title "Dr."; Psychiatrists always have it or are professors. */
  doctor: number
  /** Price of the usual session. */
  base: Pounds
  /** No fee lies outside. */
  band: Pounds
  /** Services: the first always offered, the others by chance; `factor` multiplies the base price. */
  services: readonly { readonly id: number; readonly chance: number; readonly factor: number }[]
  /** Issue ids: some of the core, a few of the others. */
  coreIssues: readonly number[]
  otherIssues: readonly number[]
  /** Therapy type ids. */
  coreApproaches: readonly number[]
  otherApproaches: readonly number[]
  /** Licence body ids of which one is held, and another that may be held as well. */
  bodies: readonly number[]
  secondBody?: { readonly id: number; readonly chance: number }
  insuranceChance: number
  faceToFaceChance: number
  /** Another profession that some are qualified in too. */
  second?: { readonly providerTypeId: number; readonly chance: number; readonly serviceId: number }
  /** In which words the bio speaks of it. */
  noun: string
}

export const practices: readonly Practice[] = [
  {
    providerTypeId: profession.PSYCHIATRIST,
    weight: 12,
    startAge: 34,
    doctor: 1,
    base: [260, 380],
    band: [180, 400],
    services: [
      { id: 7, chance: 1, factor: 1 },
      { id: 8, chance: 1, factor: 0.6 },
      { id: 9, chance: 0.7, factor: 0.62 },
      { id: 10, chance: 0.35, factor: 1.2 },
    ],
    coreIssues: [1, 2, 41, 39, 6, 37, 4, 9],
    otherIssues: [40, 18, 31, 32, 17, 38, 10],
    coreApproaches: [18],
    otherApproaches: [1, 5, 11, 2],
    bodies: [1],
    secondBody: { id: 15, chance: 0.5 },
    insuranceChance: 0.8,
    faceToFaceChance: 0.6,
    noun: 'psychiatrist',
  },
  {
    providerTypeId: profession.CLINICAL_PSYCHOLOGIST,
    weight: 13,
    startAge: 28,
    doctor: 1,
    base: [110, 165],
    band: [85, 320],
    services: [
      { id: 2, chance: 1, factor: 1 },
      { id: 1, chance: 0.6, factor: 0.75 },
      { id: 11, chance: 0.35, factor: 1.7 },
      { id: 5, chance: 0.4, factor: 1 },
      { id: 6, chance: 0.25, factor: 1.15 },
      { id: 16, chance: 0.2, factor: 1 },
      { id: 15, chance: 0.25, factor: 1 },
    ],
    coreIssues: [1, 2, 32, 6, 12, 8, 4, 33],
    otherIssues: [17, 23, 36, 37, 38, 7, 9, 13, 31, 40, 3],
    coreApproaches: [1, 2, 10, 12, 4],
    otherApproaches: [3, 11, 17, 16, 5, 9],
    bodies: [2],
    secondBody: { id: 4, chance: 0.4 },
    insuranceChance: 0.75,
    faceToFaceChance: 0.55,
    second: { providerTypeId: profession.CBT_THERAPIST, chance: 0.2, serviceId: 5 },
    noun: 'clinical psychologist',
  },
  {
    providerTypeId: profession.COUNSELLING_PSYCHOLOGIST,
    weight: 10,
    startAge: 28,
    doctor: 0.8,
    base: [90, 140],
    band: [65, 260],
    services: [
      { id: 2, chance: 1, factor: 1 },
      { id: 1, chance: 0.6, factor: 0.75 },
      { id: 3, chance: 0.25, factor: 1.25 },
      { id: 18, chance: 0.15, factor: 0.75 },
      { id: 11, chance: 0.15, factor: 1.6 },
    ],
    coreIssues: [1, 2, 12, 25, 14, 33, 13, 22],
    otherIssues: [3, 10, 20, 32, 15, 5, 35, 23, 21],
    coreApproaches: [7, 6, 5, 1, 2],
    otherApproaches: [10, 19, 12, 17, 11],
    bodies: [2],
    secondBody: { id: 4, chance: 0.5 },
    insuranceChance: 0.65,
    faceToFaceChance: 0.5,
    noun: 'counselling psychologist',
  },
  {
    providerTypeId: profession.CBT_THERAPIST,
    weight: 15,
    startAge: 26,
    doctor: 0.04,
    base: [75, 115],
    band: [55, 180],
    services: [
      { id: 5, chance: 1, factor: 1 },
      { id: 1, chance: 0.75, factor: 0.75 },
      { id: 6, chance: 0.25, factor: 1.2 },
      { id: 18, chance: 0.3, factor: 0.75 },
      { id: 15, chance: 0.2, factor: 1 },
    ],
    coreIssues: [1, 4, 6, 8, 5, 7, 2, 9],
    otherIssues: [3, 32, 12, 10, 36, 11, 16, 31, 23],
    coreApproaches: [1, 16],
    otherApproaches: [2, 11, 10, 4, 14],
    bodies: [5],
    secondBody: { id: 14, chance: 0.15 },
    insuranceChance: 0.6,
    faceToFaceChance: 0.4,
    noun: 'CBT therapist',
  },
  {
    providerTypeId: profession.COUNSELLOR,
    weight: 23,
    startAge: 27,
    doctor: 0,
    base: [50, 75],
    band: [45, 80],
    services: [
      { id: 2, chance: 1, factor: 1 },
      { id: 1, chance: 0.7, factor: 0.8 },
      { id: 18, chance: 0.2, factor: 0.8 },
      { id: 17, chance: 0.12, factor: 1 },
      { id: 15, chance: 0.2, factor: 1 },
    ],
    coreIssues: [1, 2, 13, 12, 25, 14, 3, 15],
    otherIssues: [26, 16, 24, 20, 22, 11, 29, 30, 34, 18, 10, 21, 19, 9],
    coreApproaches: [6, 7],
    otherApproaches: [5, 14, 19, 20, 10, 1, 11],
    bodies: [6, 6, 6, 7, 7, 10, 11],
    insuranceChance: 0.2,
    faceToFaceChance: 0.5,
    second: { providerTypeId: profession.COUPLES_THERAPIST, chance: 0.12, serviceId: 3 },
    noun: 'counsellor',
  },
  {
    providerTypeId: profession.PSYCHOTHERAPIST,
    weight: 16,
    startAge: 30,
    doctor: 0.08,
    base: [65, 115],
    band: [50, 180],
    services: [
      { id: 2, chance: 1, factor: 1 },
      { id: 1, chance: 0.7, factor: 0.8 },
      { id: 3, chance: 0.2, factor: 1.3 },
      { id: 6, chance: 0.15, factor: 1.25 },
      { id: 17, chance: 0.08, factor: 1 },
    ],
    coreIssues: [2, 1, 33, 25, 12, 13, 20, 28],
    otherIssues: [32, 22, 15, 35, 10, 17, 27, 14, 21, 16, 19],
    coreApproaches: [5, 7, 19, 20],
    otherApproaches: [12, 17, 4, 6, 10, 15],
    bodies: [8, 8, 8, 9, 6, 10],
    insuranceChance: 0.35,
    faceToFaceChance: 0.6,
    second: { providerTypeId: profession.COUPLES_THERAPIST, chance: 0.12, serviceId: 3 },
    noun: 'psychotherapist',
  },
  {
    providerTypeId: profession.COUPLES_THERAPIST,
    weight: 6,
    startAge: 31,
    doctor: 0.06,
    base: [80, 125],
    band: [60, 220],
    services: [
      { id: 3, chance: 1, factor: 1 },
      { id: 1, chance: 0.6, factor: 0.8 },
      { id: 13, chance: 0.6, factor: 0.85 },
      { id: 14, chance: 0.4, factor: 1.1 },
    ],
    coreIssues: [25, 27, 28, 26, 29],
    otherIssues: [30, 16, 20, 31, 14, 13, 34],
    coreApproaches: [8],
    otherApproaches: [9, 5, 7, 14],
    bodies: [12, 12, 8, 6],
    insuranceChance: 0.15,
    faceToFaceChance: 0.55,
    noun: 'couples therapist',
  },
  {
    providerTypeId: profession.FAMILY_THERAPIST,
    weight: 3,
    startAge: 31,
    doctor: 0.08,
    base: [90, 135],
    band: [70, 250],
    services: [
      { id: 4, chance: 1, factor: 1.2 },
      { id: 1, chance: 0.6, factor: 0.8 },
      { id: 16, chance: 0.7, factor: 0.9 },
      { id: 15, chance: 0.5, factor: 0.9 },
      { id: 3, chance: 0.4, factor: 1.1 },
    ],
    coreIssues: [29, 30, 25, 26, 17],
    otherIssues: [13, 38, 37, 22, 24, 14, 1],
    coreApproaches: [9],
    otherApproaches: [14, 8, 7],
    bodies: [8, 13],
    insuranceChance: 0.3,
    faceToFaceChance: 0.6,
    noun: 'family therapist',
  },
  {
    providerTypeId: profession.ART_THERAPIST,
    weight: 3,
    startAge: 27,
    doctor: 0.03,
    base: [55, 85],
    band: [45, 120],
    services: [
      { id: 12, chance: 1, factor: 1 },
      { id: 1, chance: 0.7, factor: 0.85 },
      { id: 15, chance: 0.6, factor: 1 },
      { id: 16, chance: 0.3, factor: 1 },
    ],
    coreIssues: [33, 13, 1, 12, 32],
    otherIssues: [38, 23, 14, 2, 22, 36, 17],
    coreApproaches: [15],
    otherApproaches: [5, 6, 7],
    bodies: [3],
    insuranceChance: 0.1,
    faceToFaceChance: 0.75,
    noun: 'art therapist',
  },
]
