import { expect, test } from 'vitest'
import { tokenInAddress } from './mailed-token.ts'

test.each([
  ['', '#token=abc', 'abc'],
  ['?token=old', '', 'old'],
  ['?token=old', '#token=new', 'new'],
  ['?about=reminders', '#main', null],
  ['', '', null],
])('the address %s%s has the token %s', (search, hash, token) => {
  expect(tokenInAddress({ search, hash })).toBe(token)
})
