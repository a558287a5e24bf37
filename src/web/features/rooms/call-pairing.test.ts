import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientReceives, type Pairing, practitionerReceives } from './call-pairing.ts'

const pair = (practitioner: number, client: number): Pairing => ({ practitioner, client })

test.each([
  ['the first signal of a client', pair(5, 0), pair(0, 50), 'ignore', pair(5, 50)],
  ['the answer of a client', pair(5, 0), pair(5, 50), 'take', pair(5, 50)],
  ['a signal of the pair', pair(5, 50), pair(5, 50), 'take', pair(5, 50)],
  ['an answer to an earlier offer', pair(5, 50), pair(4, 50), 'ignore', pair(5, 50)],
  ['a client who has begun again', pair(5, 50), pair(0, 51), 'begin', pair(6, 51)],
  ['a late signal of a client’s connection that is gone', pair(6, 51), pair(5, 50), 'ignore', pair(6, 51)],
])('a practitioner’s side: %s', (_, own, signal, act, pairing) => {
  expect(practitionerReceives(own, signal, 6)).toEqual({ act, pairing })
})

test.each([
  ['the first offer, made before the client came', pair(0, 50), pair(5, 0), 'take', pair(5, 50)],
  ['the first offer, made for the client', pair(0, 50), pair(5, 50), 'take', pair(5, 50)],
  ['a signal of the pair', pair(5, 50), pair(5, 50), 'take', pair(5, 50)],
  ['a practitioner who has begun again', pair(5, 50), pair(6, 50), 'follow', pair(6, 50)],
  ['a practitioner who has reloaded the page', pair(5, 50), pair(6, 0), 'follow', pair(6, 50)],
  ['a late signal of a connection that is gone', pair(6, 50), pair(5, 50), 'ignore', pair(6, 50)],
  ['a signal for an own connection that is gone', pair(0, 51), pair(5, 50), 'ignore', pair(0, 51)],
])('a client’s side: %s', (_, own, signal, act, pairing) => {
  expect(clientReceives(own, signal)).toEqual({ act, pairing })
})

test('both sides come to one pair, with any order of new beginnings and delays', () => {
  const step = fc.constantFrom(
    'practitioner begins',
    'practitioner reloads',
    'client begins',
    'to client',
    'to practitioner',
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let clock = 1
      let practitioner = pair(clock, 0)
      let client = pair(0, clock)
      const toClient: Pairing[] = []
      const toPractitioner: Pairing[] = []
      const resend = () => {
        toClient.push(practitioner)
        toPractitioner.push(client)
      }
      const carry = (to: 'to client' | 'to practitioner') => {
        clock += 1
        if (to === 'to client') {
          const signal = toClient.shift()
          if (signal) client = clientReceives(client, signal).pairing
        } else {
          const signal = toPractitioner.shift()
          if (signal) practitioner = practitionerReceives(practitioner, signal, clock).pairing
        }
      }
      for (const each of steps) {
        clock += 1
        if (each === 'practitioner begins') practitioner = pair(clock, practitioner.client)
        else if (each === 'practitioner reloads') practitioner = pair(clock, 0)
        else if (each === 'client begins') client = pair(0, clock)
        else carry(each)
        if (!each.startsWith('to')) resend()
      }
      // From here on nothing begins again by itself; each side repeats what it says.
      for (let round = 0; round < 4; round++) {
        resend()
        while (toClient.length > 0) carry('to client')
        while (toPractitioner.length > 0) carry('to practitioner')
      }
      expect(practitioner).toEqual(client)
      expect(practitioner.client).toBeGreaterThan(0)
      const settled = practitioner
      resend()
      carry('to client')
      carry('to practitioner')
      expect([practitioner, client]).toEqual([settled, settled])
    }),
    { numRuns: 500 },
  )
})
