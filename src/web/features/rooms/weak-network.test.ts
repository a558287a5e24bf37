import { expect, test } from 'vitest'
import { networkAfter, type NetworkSample, sampleOf, steadyNetwork } from './weak-network.ts'

/** Samples two seconds apart. Returns after how many of them the network is weak, or 'never'. */
function weakAfter(samples: Partial<NetworkSample>[]): number | 'never' {
  let state = steadyNetwork
  let previousAt: number | undefined
  for (const [index, sample] of samples.entries()) {
    const at = sample.at ?? index * 2000
    state = networkAfter(state, { loss: undefined, available: undefined, ...sample, at }, previousAt ?? at)
    previousAt = at
    if (state.isWeak) return index + 1
  }
  return 'never'
}

const times = (count: number, sample: Partial<NetworkSample>) => Array.from({ length: count }, () => sample)

test.each<[string, Partial<NetworkSample>[], number | 'never']>([
  ['nothing is known', times(10, {}), 'never'],
  ['a good network', times(10, { loss: 0.01, available: 900 }), 'never'],
  ['loss of exactly 8%', times(10, { loss: 0.08, available: 900 }), 'never'],
  ['loss above 8% for six seconds', times(4, { loss: 0.081, available: 900 }), 4],
  ['loss above 8% for four seconds', [...times(3, { loss: 0.5 }), ...times(3, { loss: 0 })], 'never'],
  ['exactly 150 kb/s', times(10, { available: 150 }), 'never'],
  ['less than 150 kb/s for six seconds', times(4, { loss: 0, available: 149 }), 4],
  ['loss, then a low rate', [...times(2, { loss: 0.2 }), ...times(2, { loss: 0, available: 60 })], 4],
  [
    'a good sample begins the six seconds again',
    [...times(3, { loss: 0.2 }), { loss: 0 }, ...times(4, { loss: 0.2 })],
    8,
  ],
  [
    'a device that slept between two samples',
    [{ loss: 0.2 }, { loss: 0.2, at: 60_000 }, { loss: 0.2, at: 62_000 }, { loss: 0.2, at: 64_000 }],
    'never',
  ],
])('%s', (_, samples, expected) => {
  expect(weakAfter(samples)).toBe(expected)
})

const pair = (id: string, rate: number, more: object = {}) => ({
  id,
  type: 'candidate-pair',
  availableOutgoingBitrate: rate,
  ...more,
})

test.each([
  ['an empty report', [], { loss: undefined, available: undefined }],
  [
    'the worse of audio and video',
    [
      { id: 'a', type: 'remote-inbound-rtp', kind: 'audio', fractionLost: 0.02 },
      { id: 'v', type: 'remote-inbound-rtp', kind: 'video', fractionLost: 0.1 },
    ],
    { loss: 0.1, available: undefined },
  ],
  [
    'the pair that the transport has selected',
    [pair('1', 900_000), pair('2', 120_000), { id: 't', type: 'transport', selectedCandidatePairId: '2' }],
    { loss: undefined, available: 120 },
  ],
  [
    'the nominated pair, where the transport names none',
    [pair('1', 900_000), pair('2', 300_000, { nominated: true, state: 'succeeded' })],
    { loss: undefined, available: 300 },
  ],
])('a sample of %s', (_, report, expected) => {
  expect(sampleOf(report, 5)).toEqual({ at: 5, ...expected })
})
