import { describe, expect, test } from 'vitest'
import type { ProfileStep, StepState } from '#contract/practitioners/onboarding.ts'
import { profileSteps } from '#contract/practitioners/onboarding.ts'
import {
  countWords,
  pathAfter,
  pathBefore,
  pathOfStep,
  resumePath,
  stages,
  stepInAddress,
  type Stage,
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
      let path = pathOfStep('about_you', isEditing)
      while (path.includes('step=')) {
        const { stage, index } = at(path)
        const step = stage.steps[index]
        if (!step) throw new Error(path)
        seen.push(step)
        expect(path.includes('isEditing=true')).toBe(isEditing)
        const before = pathBefore(stage, index, isEditing)
        expect(before).toBe(seen.length === 1 ? undefined : pathOfStep(seen.at(-2) ?? step, isEditing))
        path = pathAfter(stage, index, isEditing)
      }
      expect(seen).toEqual(profileSteps)
      expect(path).toBe(isEditing ? '/therapist/profile-view' : '/therapist/profile-preview')
    },
  )

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
