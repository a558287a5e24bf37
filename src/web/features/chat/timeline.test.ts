import { describe, expect, test } from 'vitest'
import type { Message } from '#contract/chat/chat.ts'
import type { OutgoingMessage } from './conversation.ts'
import { dayLabel, lastTimeLabel, timelineOf } from './timeline.ts'

const zone = 'Europe/London'
const now = '2027-03-04T20:00:00Z'
let seq = 0

const stored = (from: 'me' | 'them', at: string, text = 'x'): Message => ({
  _id: `m${++seq}`,
  chat_dialog_id: 'd',
  sender_id: from,
  message: text,
  date_sent: Date.parse(at) / 1000,
  seq,
})

function lines(
  messages: Message[],
  extra: { outgoing?: OutgoingMessage[]; otherReadUpTo?: number; unreadAfter?: number } = {},
) {
  const rows = timelineOf({
    messages,
    outgoing: extra.outgoing ?? [],
    ownId: 'me',
    otherReadUpTo: extra.otherReadUpTo ?? 0,
    unreadAfter: extra.unreadAfter,
    zone,
    now,
  })
  return rows.map((row) => {
    if (row.kind === 'day') return row.label
    if (row.kind === 'unread') return '--- unread'
    return [row.state ?? 'theirs', row.isLast && 'last'].filter(Boolean).join(' ')
  })
}

describe('the timeline', () => {
  test('names each day once, by the clock of the reader', () => {
    seq = 0
    expect(
      lines([
        stored('me', '2026-12-31T23:30:00Z'),
        stored('them', '2027-03-03T23:59:00Z'),
        stored('me', '2027-03-04T00:01:00Z'),
      ]),
    ).toEqual(['Thursday 31 December 2026', 'sent last', 'Yesterday', 'theirs last', 'Today', 'sent last'])
  })

  test('keeps what one person writes within minutes together, and no more than that', () => {
    seq = 0
    expect(
      lines([
        stored('me', '2027-03-04T10:00:00Z'),
        stored('me', '2027-03-04T10:02:00Z'),
        stored('me', '2027-03-04T10:09:00Z'),
        stored('them', '2027-03-04T10:10:00Z'),
      ]),
    ).toEqual(['Today', 'sent', 'sent last', 'sent last', 'theirs last'])
  })

  test('draws the line above the first message that was not read, and never above one’s own', () => {
    seq = 0
    const messages = [
      stored('them', '2027-03-04T10:00:00Z'),
      stored('me', '2027-03-04T10:00:10Z'),
      stored('them', '2027-03-04T10:00:20Z'),
    ]
    expect(lines(messages, { unreadAfter: 1 })).toEqual([
      'Today',
      'theirs last',
      'sent last',
      '--- unread',
      'theirs last',
    ])
    expect(lines(messages.slice(0, 2), { unreadAfter: 1 })).not.toContain('--- unread')
    expect(lines(messages)).not.toContain('--- unread')
  })

  test('says what became of each own message, with those on their way at the end', () => {
    seq = 0
    const messages = [stored('me', '2027-03-04T10:00:00Z'), stored('me', '2027-03-04T11:00:00Z')]
    const outgoing: OutgoingMessage[] = [
      // By a clock that is a day behind.
      {
        _id: 'a',
        chat_dialog_id: 'd',
        message: 'a',
        written_at: Date.parse('2027-03-03T11:00:00Z'),
        state: 'failed',
      },
      {
        _id: 'b',
        chat_dialog_id: 'd',
        message: 'b',
        written_at: Date.parse('2027-03-04T12:00:00Z'),
        state: 'sending',
      },
    ]
    expect(lines(messages, { outgoing, otherReadUpTo: 1 })).toEqual([
      'Today',
      'read last',
      'sent',
      'failed last',
      'sending last',
    ])
  })
})

test('days are named as people would, on days on which the clocks change as well', () => {
  expect(dayLabel('2027-03-27T12:00:00Z', zone, '2027-03-28T00:30:00Z')).toBe('Yesterday')
  expect(dayLabel('2027-03-28T22:59:00Z', zone, '2027-03-29T10:00:00Z')).toBe('Yesterday')
  expect(dayLabel('2027-03-28T23:30:00Z', zone, '2027-03-29T10:00:00Z')).toBe('Today')
  expect(dayLabel('2027-10-31T00:30:00Z', zone, '2027-11-01T00:10:00Z')).toBe('Yesterday')
})

test('the list tells the time of today, and the day of what is older', () => {
  expect(lastTimeLabel('2027-03-04T09:05:00Z', zone, now)).toBe('09:05')
  expect(lastTimeLabel('2027-03-03T09:05:00Z', zone, now)).toBe('Yesterday')
  expect(lastTimeLabel('2027-02-11T09:05:00Z', zone, now)).toBe('11 Feb')
  expect(lastTimeLabel('2026-12-11T09:05:00Z', zone, now)).toBe('11 Dec 2026')
})
