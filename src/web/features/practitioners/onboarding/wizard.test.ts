import { describe, expect, test } from 'vitest'
import type { StepState, TherapistProfile } from '#contract/practitioners/onboarding.ts'
import {
  pathOfStep,
  type ProfileStep,
  profileSteps,
  stages,
  type Stage,
} from '#contract/practitioners/profile-steps.ts'
import {
  countWords,
  markOf,
  pathAfter,
  pathBefore,
  refusedOf,
  resumePath,
  stepInAddress,
  stepPageTitle,
  walkOf,
} from './wizard.ts'

const at = (path: string): { stage: Stage; index: number } => {
  const url = new URL(path, 'http://hearth.test')
  const stage = stages.find((each) => each.path === url.pathname)
  if (!stage) throw new Error(path)
  return { stage, index: stepInAddress(url.searchParams.get('step'), stage) ?? -1 }
}

describe('the wizard', () => {
  test.each([false, true])(
    'leads through every step once, and back the same way (editing: %s)',
    (isEditing) => {
      const seen: ProfileStep[] = []
      const walk = { isEditing }
      let path = pathOfStep('about_you', walk)
      while (path.includes('step=')) {
        const { stage, index } = at(path)
        const step = stage.steps[index]
        if (!step) throw new Error(path)
        seen.push(step)
        expect(path.includes('isEditing=true')).toBe(isEditing)
        const before = pathBefore(stage, index, walk)
        expect(before).toBe(seen.length === 1 ? undefined : pathOfStep(seen.at(-2) ?? step, walk))
        path = pathAfter(stage, index, walk)
      }
      expect(seen).toEqual(profileSteps)
      expect(path).toBe(isEditing ? '/therapist/profile-view' : '/therapist/profile-preview')
    },
  )

  test('a step that is changed alone leads back to where the practitioner came from', () => {
    const path = pathOfStep('bio', { returnTo: 'preview' })
    expect(path).toBe('/therapist/professional-info?step=4&return=preview')
    const { stage, index } = at(path)
    const walk = walkOf(new URL(path, 'http://hearth.test').searchParams)
    expect(pathAfter(stage, index, walk)).toBe('/therapist/profile-preview')
    expect(pathBefore(stage, index, walk)).toBe('/therapist/profile-preview')
    for (const foreign of ['https://example.test', 'toString', '']) {
      expect(walkOf(new URLSearchParams({ return: foreign })).returnTo).toBeUndefined()
    }
  })

  test('every step has a page title of its own', () => {
    const titles = stages.flatMap((stage) =>
      stage.steps.map((_, index) => stepPageTitle(stage, `?step=${index + 1}`)),
    )
    expect(new Set(titles).size).toBe(profileSteps.length)
    expect(titles).toContain('Your bio, step 4 of 6, Professional info')
    expect(stepPageTitle(stages[0], '?step=99')).toBe('Personal info')
  })

  test('a step is done once it is saved with nothing missing, refused or unsaved', () => {
    const profile = {
      status: 'draft',
      steps: [
        { step: 'dbs', version: 1, saved_at: null, missing: [] },
        { step: 'bio', version: 1, saved_at: null, missing: [] },
        { step: 'photo', version: 0, saved_at: null, missing: ['Add a photo of yourself.'] },
        { step: 'locations', version: 0, saved_at: null, missing: [] },
      ],
      documents: [{ kind: 'dbs', status: 'refused' }],
      license_list: [],
    } as unknown as TherapistProfile
    expect(markOf('dbs', profile, [])).toBe('refused')
    expect(markOf('bio', profile, [])).toBe('done')
    expect(markOf('bio', profile, ['bio'])).toBe('unsaved')
    expect(markOf('photo', profile, [])).toBe('open')
    expect(markOf('locations', profile, [])).toBe('open')
    expect(markOf('locations', { ...profile, status: 'approved' }, [])).toBe('done')
  })

  test('a refused certificate warns while the practitioner claims the insurance', () => {
    const profile = (has_insurance: boolean | null) => ({
      has_insurance,
      documents: [{ kind: 'insurance_certificate', status: 'refused' }] as TherapistProfile['documents'],
      license_list: [],
    })
    const warned = [true, null, false].map((claim) => refusedOf('insurance', profile(claim)).length)
    expect(warned).toEqual([1, 1, 0])
  })

  test('takes no step from an address that has none', () => {
    const [stage] = stages
    for (const text of [null, '', '0', '6', '1.5', 'x']) expect(stepInAddress(text, stage)).toBeUndefined()
    expect(stepInAddress('5', stage)).toBe(4)
  })

  test('resumes at a step with missing fields, or at one never saved', () => {
    const steps = (changes: Partial<Record<ProfileStep, Partial<StepState>>>): StepState[] =>
      profileSteps.map((step) => ({ step, version: 1, saved_at: null, missing: [], ...changes[step] }))
    expect(resumePath({ steps: steps({ bio: { missing: ['Write your bio.'] } }) })).toBe(
      '/therapist/professional-info?step=4',
    )
    expect(resumePath({ steps: steps({ insurers: { version: 0 } }) })).toBe('/therapist/service-info?step=3')
    expect(resumePath({ steps: steps({}) })).toBe('/therapist/profile-preview')
  })
})

test('words are counted as they are read', () => {
  expect(countWords('')).toBe(0)
  expect(countWords('  one  two\n\nthree-four ')).toBe(3)
})
