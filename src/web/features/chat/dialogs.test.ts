import { describe, expect, test } from 'vitest'
import type { Dialog, Message } from '#contract/chat/chat.ts'
import {
  followsOn,
  mergeDialog,
  mergeDialogs,
  noteMessage,
  noteRead,
  partnerOf,
  unreadOf,
} from './dialogs.ts'

const dialog = (id: string, change: Partial<Dialog> = {}): Dialog => ({
  _id: id,
  type: 3,
  occupants_ids: ['me', 'them'],
  extensions: {
    client: JSON.stringify({ full_name: 'Robin Vale', main_image: null }),
    practitioner: JSON.stringify({
      full_name: 'Grace Holloway',
      main_image: '/g.webp',
      provider_types: ['Psychologist'],
      practitioner_id: 7,
      listed: true,
    }),
  },
  last_message: 'before',
  last_message_date_sent: 1_800_000_000,
  last_message_user_id: 'them',
  unread_messages_count: 1,
  last_seq: 4,
  read_seq: 3,
  other_read_seq: 4,
  closed: null,
  created_at: '2027-01-01T00:00:00Z',
  ...change,
})
const message = (seq: number, sender_id: string, chat_dialog_id = 'a'): Message => ({
  _id: `m${seq}`,
  chat_dialog_id,
  seq,
  sender_id,
  message: `number ${seq}`,
  date_sent: 1_800_000_100,
})
const ids = (dialogs: readonly Dialog[]) => dialogs.map(({ _id }) => _id)

test('a client sees the practitioner with what they are; a practitioner the client’s first name, initial and picture alone', () => {
  expect(partnerOf(dialog('a'), 'client')).toEqual({
    name: 'Grace Holloway',
    image: '/g.webp',
    providerTypes: ['Psychologist'],
    profileId: 7,
  })
  expect(partnerOf(dialog('a'), 'therapist')).toEqual({
    name: 'Robin V.',
    image: null,
    providerTypes: [],
    profileId: undefined,
  })
})

test('a client is not led to the profile of a practitioner who is no longer listed', () => {
  const { extensions } = dialog('a')
  const practitioner = JSON.stringify({ ...JSON.parse(extensions.practitioner), listed: false })
  expect(partnerOf({ extensions: { ...extensions, practitioner } }, 'client')).toMatchObject({
    name: 'Grace Holloway',
    profileId: undefined,
  })
})

describe('a message', () => {
  const dialogs = [dialog('b', { last_message_date_sent: 1_800_000_050 }), dialog('a')]

  test('puts its dialog in front and is counted', () => {
    const [first] = noteMessage(dialogs, message(5, 'them'), 'me')
    expect(first).toMatchObject({ _id: 'a', last_message: 'number 5', last_seq: 5, unread_messages_count: 2 })
  })

  test('is not counted when it is one’s own, nor twice', () => {
    const once = noteMessage(dialogs, message(5, 'me'), 'me')
    expect(unreadOf(once)).toBe(unreadOf(dialogs))
    expect(noteMessage(once, message(5, 'them'), 'me')).toBe(once)
  })
})

describe('a read mark', () => {
  test('takes what is read off the count, and never goes back', () => {
    const read = noteRead([dialog('a')], { chat_dialog_id: 'a', isOwn: true, upTo: 4 })
    expect(read[0]).toMatchObject({ read_seq: 4, unread_messages_count: 0 })
    const late = noteRead(read, { chat_dialog_id: 'a', isOwn: true, upTo: 2 })
    expect(late[0]).toMatchObject({ read_seq: 4, unread_messages_count: 0 })
    // The list, read before the mark was made.
    expect(mergeDialogs(read, [dialog('a')])[0]).toMatchObject({ read_seq: 4, unread_messages_count: 0 })
  })

  test('that the server does not have yet takes what is read off the count of a newer list', () => {
    const read = [dialog('a', { last_seq: 10, read_seq: 10, unread_messages_count: 0 })]
    const arrived = dialog('a', { last_seq: 11, read_seq: 5, unread_messages_count: 6 })
    for (const [merged] of [mergeDialogs(read, [arrived]), mergeDialog(read, arrived)])
      expect(merged).toMatchObject({ last_seq: 11, read_seq: 10, unread_messages_count: 1 })
  })

  test('of the other changes nothing but what is shown below one’s own messages', () => {
    const read = noteRead([dialog('a', { other_read_seq: 1 })], {
      chat_dialog_id: 'a',
      isOwn: false,
      upTo: 3,
    })
    expect(read[0]).toMatchObject({ other_read_seq: 3, read_seq: 3, unread_messages_count: 1 })
  })
})

describe('the list', () => {
  test('stands by what was active last, a new dialog by its beginning', () => {
    const dialogs = mergeDialog(
      [dialog('a'), dialog('b', { last_message_date_sent: 1_700_000_000 })],
      dialog('c', { last_message: null, last_message_date_sent: null, created_at: '2026-01-01T00:00:00Z' }),
    )
    expect(ids(dialogs)).toEqual(['a', 'c', 'b'])
  })

  test('is not turned back by an answer that was under way', () => {
    const known = [dialog('a', { last_seq: 9, last_message: 'newest' })]
    expect(mergeDialog(known, dialog('a'))).toBe(known)
    expect(mergeDialogs(known, [dialog('a')])[0]?.last_message).toBe('newest')
  })

  test('keeps a block that was set or ended while it was read', () => {
    const atStart = [dialog('blocked'), dialog('unblocked', { closed: 'blocked_by_you' }), dialog('closed')]
    const meanwhile = [dialog('blocked', { closed: 'blocked_by_you' }), dialog('unblocked'), dialog('closed')]
    const read = [...atStart.slice(0, 2), dialog('closed', { closed: 'unavailable' })]
    const merged = new Map(mergeDialogs(meanwhile, read, atStart).map(({ _id, closed }) => [_id, closed]))
    expect(Object.fromEntries(merged)).toEqual({
      blocked: 'blocked_by_you',
      unblocked: null,
      closed: 'unavailable',
    })
  })

  test('loses what is gone, and keeps what came while it was read', () => {
    const atStart = [dialog('a'), dialog('gone')]
    const meanwhile = [...atStart, dialog('new')]
    expect(ids(mergeDialogs(meanwhile, [dialog('a')], atStart)).toSorted()).toEqual(['a', 'new'])
  })
})

test.each([
  [[], true],
  [[5], true],
  [[4, 5, 6], true],
  [[6, 5], true],
  [[3], true],
  [[6], false],
  [[5, 7], false],
])('after message 4, the messages %j leave none out: %s', (seqs, isSo) => {
  expect(
    followsOn(
      dialog('a'),
      seqs.map((seq) => message(seq, 'them')),
    ),
  ).toBe(isSo)
})
