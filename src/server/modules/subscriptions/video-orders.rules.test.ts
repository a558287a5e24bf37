import { describe, expect, test } from 'vitest'
import { type VideoOrderState, videoOrderStates } from '#contract/subscriptions/video-orders.ts'
import {
  canPropose,
  canStep,
  isRepeated,
  isToAdmin,
  lastStep,
  problemOfDates,
  stateOf,
  type VideoCourse,
  type VideoStep,
  type VideoStepKind,
  versionOf,
  videoSteps,
  videoUndoIn,
  waitingUpload,
} from './video-orders.rules.ts'

const now = new Date('2026-06-01T09:00:00Z')
const soon = new Date('2026-06-03T09:00:00Z')
const step = (kind: VideoStepKind, more: Partial<VideoStep> = {}): Omit<VideoStep, 'number'> => ({
  kind,
  at: now,
  dates: kind === 'propose' ? [soon] : [],
  date: kind === 'take_date' ? soon : null,
  note: null,
  file_id: kind === 'upload' ? 'a file' : null,
  undone_at: null,
  ...more,
})
const course = (...steps: Omit<VideoStep, 'number'>[]): VideoCourse => ({
  done_at: null,
  steps: steps.map((each, index) => ({ ...each, number: index + 1 })),
})
const undone = { undone_at: now }

describe('the life cycle', () => {
  const allowed: Record<VideoOrderState, string[]> = {
    ordered: ['propose', 'upload', 'finish'],
    dates_proposed: ['propose', 'take_date', 'ask_dates', 'finish'],
    dates_asked: ['propose', 'finish'],
    date_agreed: ['propose', 'ask_dates', 'upload', 'finish'],
    uploaded: ['ask_change', 'approve', 'finish'],
    change_asked: ['propose', 'upload', 'finish'],
    approved: [],
    done: [],
  }

  test.each(videoOrderStates)('allows exactly the declared steps in %s', (state) => {
    const steps = Object.keys(videoSteps) as (keyof typeof videoSteps)[]
    expect(steps.filter((each) => canStep(state, each))).toEqual(allowed[state])
  })

  test('reaches every state, and every state but the last two has a step', () => {
    const reached = new Set(['ordered', ...Object.values(videoSteps).map(({ to }) => to)])
    expect([...reached].toSorted()).toEqual([...videoOrderStates].toSorted())
  })

  test('only the admin’s own last step can be undone, and never an approval', () => {
    expect(videoUndoIn).toEqual({ dates_proposed: 'proposal', uploaded: 'upload', done: 'done' })
    for (const [state, undo] of Object.entries(videoUndoIn)) {
      const leading = Object.values(videoSteps).filter(({ to }) => to === state)
      expect([undo, leading.map(({ by }) => by)]).toEqual([undo, ['admin']])
    }
  })
})

describe('the state of an order', () => {
  test.each<[VideoOrderState, VideoCourse]>([
    ['ordered', course()],
    ['dates_proposed', course(step('propose'))],
    ['ordered', course(step('propose', undone))],
    ['dates_asked', course(step('propose'), step('ask_dates'))],
    ['dates_asked', course(step('propose'), step('ask_dates'), step('propose', undone))],
    ['date_agreed', course(step('propose'), step('take_date'))],
    ['uploaded', course(step('propose'), step('take_date'), step('upload'))],
    ['date_agreed', course(step('propose'), step('take_date'), step('upload', undone))],
    ['change_asked', course(step('upload'), step('ask_change'))],
    ['change_asked', course(step('upload'), step('ask_change'), step('upload', undone))],
    ['done', { ...course(step('propose')), done_at: now }],
    ['done', { ...course(), done_at: now }],
    ['approved', { ...course(step('upload'), step('approve')), done_at: now }],
  ])('is %s (%#)', (state, given) => {
    expect(stateOf(given)).toBe(state)
  })

  test('has a version that goes up with each step and each undone step', () => {
    const versions = [
      course(),
      course(step('propose')),
      course(step('propose', undone)),
      course(step('propose', undone), step('propose')),
      course(step('propose', undone), step('propose', undone)),
    ].map(versionOf)
    expect(versions).toEqual([0, 1, 2, 3, 4])
  })
})

test('the video waits while it is uploaded or a change of it is asked for, and an undone upload does not', () => {
  const first = step('upload', { file_id: 'first' })
  expect(waitingUpload(course(first))?.file_id).toBe('first')
  expect(waitingUpload(course(first, step('ask_change')))?.file_id).toBe('first')
  expect(waitingUpload(course(first, step('ask_change'), step('upload', undone)))?.file_id).toBe('first')
  expect(waitingUpload(course({ ...first, ...undone }))).toBeUndefined()
  expect(waitingUpload(course(first, step('approve')))).toBeUndefined()
  expect(waitingUpload({ ...course(first), done_at: now })).toBeUndefined()
})

test('a proposal is replaced once every date of it has passed', () => {
  const dates = [soon, new Date('2026-06-04T09:00:00Z')]
  const proposed = course(step('propose', { dates }))
  expect(canPropose(proposed, new Date('2026-06-04T08:59:59Z'))).toBe(false)
  expect(canPropose(proposed, new Date('2026-06-04T09:00:00Z'))).toBe(true)
  expect(canPropose(course(step('propose'), step('take_date')), now)).toBe(true)
  expect(canPropose(course(step('upload')), now)).toBe(false)
})

describe('dates that an admin proposes', () => {
  const hour = 3_600_000
  const inHours = (count: number) => new Date(now.getTime() + count * hour)
  const most = 90 * 24
  test.each<[string, Date[], string | undefined]>([
    ['one at the nearest', [inHours(24)], undefined],
    ['three, the furthest 90 days away', [inHours(24), inHours(48), inHours(most)], undefined],
    ['none', [], 'Enter at least one date.'],
    ['four', [24, 25, 26, 27].map(inHours), 'Enter at most 3 dates.'],
    ['the same twice', [inHours(30), inHours(30)], 'Enter different dates.'],
    ['in the past', [inHours(-1)], 'Enter dates that are at least 24 hours from now.'],
    [
      'within a day',
      [inHours(48), new Date(inHours(24).getTime() - 1)],
      'Enter dates that are at least 24 hours from now.',
    ],
    [
      'after 90 days',
      [inHours(24), new Date(inHours(most).getTime() + 1)],
      'Enter dates within the next 90 days.',
    ],
  ])('%s', (_name, dates, problem) => {
    expect(problemOfDates(dates, now)).toBe(problem)
  })
})

describe('a repeated step', () => {
  const other = new Date('2026-06-05T09:00:00Z')
  test('is one with the same content as the last', () => {
    const proposed = course(step('propose', { dates: [soon, other] }))
    expect(isRepeated(proposed, 'propose', { dates: [other, soon] })).toBe(true)
    expect(isRepeated(proposed, 'propose', { dates: [soon] })).toBe(false)
    const taken = course(step('propose'), step('take_date'))
    expect(isRepeated(taken, 'take_date', { date: new Date(soon) })).toBe(true)
    expect(isRepeated(taken, 'take_date', { date: other })).toBe(false)
    const asked = course(step('propose'), step('ask_dates', { note: 'Mornings.' }))
    expect(isRepeated(asked, 'ask_dates', { note: 'Mornings.' })).toBe(true)
    expect(isRepeated(asked, 'ask_dates', { note: 'Evenings.' })).toBe(false)
    expect(isRepeated(asked, 'ask_change', { note: 'Mornings.' })).toBe(false)
  })

  test('is none once it is undone, or the order is marked as made', () => {
    expect(isRepeated(course(step('propose', undone)), 'propose', { dates: [soon] })).toBe(false)
    expect(isRepeated({ ...course(step('propose')), done_at: now }, 'propose', { dates: [soon] })).toBe(false)
  })
})

test('the last step of a kind passes over undone ones', () => {
  const steps = course(step('upload'), step('ask_change'), step('upload', undone))
  expect([lastStep(steps)?.kind, lastStep(steps, 'upload')?.number]).toEqual(['ask_change', 1])
})

test('of the mails about an order, four go to admins and the others to its practitioner', () => {
  const toAdmins = [
    'video_dates_asked',
    'video_date_agreed_office',
    'video_change_asked',
    'video_approved_office',
  ] as const
  const toPractitioners = [
    'video_dates',
    'video_date_agreed',
    'video_ready',
    'video_approved',
    'video_taken_back',
  ] as const
  expect(toAdmins.filter(isToAdmin)).toEqual(toAdmins)
  expect(toPractitioners.filter(isToAdmin)).toEqual([])
})
