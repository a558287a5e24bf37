import { describe, expect, test } from 'vitest'
import { dialogOf, isSaidThere } from './said-there.ts'

const own = '0197a1a0-0000-7000-8000-000000000001'
const other = '0197a1a0-0000-7000-8000-000000000002'

describe('how a search for help stands', () => {
  test.each([
    ['/get-help/search-therapist?issueId=1', true],
    [`/get-help/session-is-booked?session=${own}`, true],
    [`/add-card?session=${own}&process=get-help-process`, true],
    [`/session?appointment=${own}`, true],
    [`/session-room?appointment=${own}`, true],
    [`/add-card?session=${other}`, false],
    [`/session?appointment=${other}`, false],
    [`/session-is-booked?session=${other}`, false],
    ['/chat?dialogId=7', false],
    ['/get-help', false],
    ['/my-sessions', false],
  ])('is said on %s: %s', (path, isSaid) => {
    const { pathname, searchParams } = new URL(path, 'https://hearth.example')
    expect(isSaidThere(own, pathname, searchParams)).toBe(isSaid)
  })

  test('is said in the chat of its session alone', () => {
    expect(dialogOf('/chat', '?dialogId=7')).toBe('7')
    expect(dialogOf('/chats', '?dialogId=7')).toBeNull()
  })
})
