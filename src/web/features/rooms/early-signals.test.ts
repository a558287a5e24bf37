import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clientReceives, type Pairing, practitionerReceives } from './call-pairing.ts'
import { createEarlySignals, keptFor } from './early-signals.ts'
import { createSignalStream, type Frame, resendAfter } from './signal-stream.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('signals of the device that connects are returned once, in order, unless they are old', () => {
  const early = createEarlySignals<{ from: string; n: number }>()
  early.keep({ from: 'desk', n: 1 })
  vi.advanceTimersByTime(keptFor)
  early.keep({ from: 'desk', n: 2 })
  early.keep({ from: 'phone', n: 3 })
  early.keep({ from: 'desk', n: 4 })
  vi.advanceTimersByTime(1)
  expect(early.takeFrom('desk').map(({ n }) => n)).toEqual([2, 4])
  expect(early.takeFrom('desk')).toEqual([])
  expect(early.takeFrom('phone')).toEqual([])
})

test('of many signals the last hundred are kept', () => {
  const early = createEarlySignals<{ from: string; n: number }>()
  for (let n = 1; n <= 250; n++) early.keep({ from: 'desk', n })
  expect(early.takeFrom('desk').map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, at) => 151 + at))
})

type Wire = Frame<string> & Pairing & { from: string }

test('an offer that was made before the client was ready is answered at once, and sent only once', () => {
  const early = createEarlySignals<Wire>()
  const offers: Wire[] = []
  let practitioner: Pairing = { practitioner: 7, client: 0 }
  let client: Pairing = { practitioner: 0, client: 9 }
  const received: string[] = []
  const atPractitioner = createSignalStream<string>({
    send: (frame) => {
      const signal = { ...frame, ...practitioner, from: 'desk' }
      if (frame.body) offers.push(signal)
      early.keep(signal)
    },
    deliver: (body) => received.push(body),
  })
  atPractitioner.send('offer')

  vi.advanceTimersByTime(300)
  const atClient = createSignalStream<string>({
    send: (frame) => {
      const reception = practitionerReceives(practitioner, client, 8)
      practitioner = reception.pairing
      if (reception.act === 'take') atPractitioner.receive(frame)
    },
    deliver: () => atClient.send('answer'),
  })
  for (const signal of early.takeFrom('desk')) {
    const reception = clientReceives(client, signal)
    client = reception.pairing
    if (reception.act === 'take') atClient.receive(signal)
  }
  expect(received).toEqual(['answer'])
  expect(practitioner).toEqual({ practitioner: 7, client: 9 })
  expect(client).toEqual(practitioner)
  vi.advanceTimersByTime(10 * resendAfter)
  expect(offers).toHaveLength(1)
})
