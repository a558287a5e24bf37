import { expect, test } from 'vitest'
import { type TrackKind, type TrackWatch, watchTracks } from './quiet-tracks.ts'
import type { Statistic } from './weak-network.ts'

type Step = { energy?: number; frames?: number; track?: string; after?: number }

/** Reports two seconds apart. Returns what was found quiet, with the number of the report. */
function quietIn(steps: Step[]): [number, TrackKind[]][] {
  let watch: TrackWatch | undefined
  let at = 0
  const found: [number, TrackKind[]][] = []
  for (const [index, { energy, frames, track = 'first', after = 2000 }] of steps.entries()) {
    at += after
    const report: Statistic[] = [{ type: 'transport', id: 't' }]
    const source = { type: 'media-source', trackIdentifier: track }
    if (energy !== undefined) report.push({ ...source, id: 'a', kind: 'audio', totalAudioEnergy: energy })
    if (frames !== undefined) report.push({ ...source, id: 'v', kind: 'video', frames })
    const step = watchTracks(watch, report, at)
    watch = step.watch
    if (step.quiet.length > 0) found.push([index + 1, step.quiet])
  }
  return found
}

const times = (count: number, step: Step) => Array.from({ length: count }, () => step)

test.each<[string, Step[], [number, TrackKind[]][]]>([
  ['nothing is sent', times(20, {}), []],
  ['sound and pictures go on', Array.from({ length: 20 }, (_, at) => ({ energy: at, frames: at * 20 })), []],
  ['a microphone gives nothing for five seconds', times(4, { energy: 0.3 }), [[4, ['audio']]]],
  ['a camera gives nothing for five seconds', times(4, { frames: 12 }), [[4, ['video']]]],
  ['both give nothing', times(4, { energy: 0, frames: 0 }), [[4, ['audio', 'video']]]],
  ['a pause of four seconds', [...times(3, { energy: 1 }), ...times(3, { energy: 2 })], []],
  [
    'the microphone that was taken again is silent too: twice, and then no more',
    [
      ...times(4, { energy: 0 }),
      ...times(4, { energy: 0, track: 'second' }),
      ...times(30, { energy: 0, track: 'third' }),
    ],
    [
      [4, ['audio']],
      [8, ['audio']],
    ],
  ],
  [
    'a microphone that was heard in between counts anew',
    [...times(8, { energy: 0 }), { energy: 1 }, ...times(3, { energy: 1 })],
    [
      [4, ['audio']],
      [7, ['audio']],
      [12, ['audio']],
    ],
  ],
  [
    'the device slept between two reports',
    [...times(2, { energy: 0 }), { energy: 0, after: 60_000 }, ...times(2, { energy: 0 })],
    [],
  ],
  ['a muted microphone, which has no source', [...times(3, { energy: 0 }), ...times(9, {})], []],
])('%s', (_, steps, expected) => {
  expect(quietIn(steps)).toEqual(expected)
})

test('a browser that does not count what a track gives is believed', () => {
  const report = [{ type: 'media-source', id: 'a', kind: 'audio', trackIdentifier: 'first' }]
  const first = watchTracks(undefined, report, 0)
  expect(watchTracks(first.watch, report, 9000).quiet).toEqual([])
})
