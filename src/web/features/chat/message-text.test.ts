import { expect, test } from 'vitest'
import { SendMessage } from '#contract/chat/chat.ts'
import { charactersLeft, maxMessageLength, textToSend } from './message-text.ts'

const accepts = (message: string) =>
  SendMessage.safeParse({ chat_dialog_id: '6e1b2b0e-3c59-4ad9-9d0f-8e6f1c1d2a3b', message }).success

test('what is sent is what the server takes, and what is not sent it would refuse', () => {
  const sent = [
    'x',
    '  kept in front',
    'שלום',
    '<b>not bold</b>',
    '👩‍👩‍👧',
    '🔥'.repeat(maxMessageLength),
    'x'.repeat(maxMessageLength),
  ]
  for (const written of sent) {
    expect(textToSend(written)).toBe(written)
    expect(accepts(written)).toBe(true)
  }
  for (const written of ['', ' \n\t ', '\u200b\u200d', 'x'.repeat(4001), '🔥'.repeat(4001)]) {
    expect(textToSend(written)).toBeUndefined()
    expect(accepts(written)).toBe(false)
  }
})

test('trailing lines go, and what cannot be stored', () => {
  expect(textToSend('one\ntwo\n\n')).toBe('one\ntwo')
  expect(textToSend('a\u0000b')).toBe('ab')
  expect(accepts(textToSend('half \ud83d a fire') ?? '')).toBe(true)
})

test('characters are counted once few are left', () => {
  expect(charactersLeft('x'.repeat(3499))).toBeUndefined()
  expect(charactersLeft('x'.repeat(3500))).toBe(500)
  expect(charactersLeft('🔥'.repeat(3000))).toBeUndefined()
  expect(charactersLeft('x'.repeat(4003))).toBe(-3)
})
