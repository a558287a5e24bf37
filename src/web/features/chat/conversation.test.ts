import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/chat/chat.ts'
import {
  hasOlder,
  lastWithoutGap,
  mergeMessages,
  type OutgoingMessage,
  withoutDelivered,
  withoutGap,
} from './conversation.ts'

const message = (seq: number): Message => ({
  _id: `m${seq}`,
  chat_dialog_id: 'd',
  sender_id: seq % 2 ? 'me' : 'them',
  message: `number ${seq}`,
  date_sent: 1_800_000_000 + seq,
  seq,
})
const numbers = (messages: readonly Message[]) => messages.map(({ seq }) => seq)

describe('putting in what arrived', () => {
  test('messages end in the server’s order, each once, however they were split', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: 1, max: 60 }))), (pieces) => {
        const merged = pieces.reduce<readonly Message[]>(
          (known, piece) => mergeMessages(known, piece.map(message)),
          [],
        )
        expect(numbers(merged)).toEqual([...new Set(pieces.flat())].sort((one, other) => one - other))
      }),
    )
  })

  test('changes nothing when there is nothing new in it', () => {
    const known = [1, 2, 3].map(message)
    expect(mergeMessages(known, [message(2)])).toBe(known)
    expect(mergeMessages(known, [])).toBe(known)
  })
})

describe('a gap', () => {
  test('is seen wherever the messages begin', () => {
    expect(lastWithoutGap([])).toBe(0)
    expect(lastWithoutGap([41, 42, 43].map(message))).toBe(43)
    expect(lastWithoutGap([41, 42, 44, 45].map(message))).toBe(42)
  })

  test('holds back what lies behind it until it is filled', () => {
    const torn = [1, 2, 4].map(message)
    expect(numbers(withoutGap(torn))).toEqual([1, 2])
    expect(numbers(withoutGap(mergeMessages(torn, [message(3)])))).toEqual([1, 2, 3, 4])
    const whole = [5, 6].map(message)
    expect(withoutGap(whole)).toBe(whole)
  })

  test('there is something older until the first one is known', () => {
    expect(hasOlder([])).toBe(false)
    expect(hasOlder([1, 2].map(message))).toBe(false)
    expect(hasOlder([2, 3].map(message))).toBe(true)
  })
})

test('what has arrived is on its way no more, and nothing else is touched', () => {
  const outgoing: OutgoingMessage[] = ['m1', 'mine'].map((_id) => ({
    _id,
    chat_dialog_id: 'd',
    message: 'x',
    written_at: 0,
    state: 'sending',
  }))
  expect(withoutDelivered(outgoing, [message(1), message(2)]).map(({ _id }) => _id)).toEqual(['mine'])
  expect(withoutDelivered(outgoing, [message(7)])).toBe(outgoing)
})
