import { individual } from './guided-search/individual.ts'
import { medication } from './guided-search/medication.ts'
import { relationship } from './guided-search/relationship.ts'
import { trauma } from './guided-search/trauma.ts'
import type { GuidedCategory } from './guided-search/types.ts'

/** The guided search: its questions, what each answer speaks for, and in what words. */
export const guidedSearch: readonly GuidedCategory[] = [individual, relationship, trauma, medication]
