import { expect, test } from 'vitest'
import { safeReturnPath, withReturnPath } from './return-to.ts'

test.each([
  '/',
  '/my-sessions',
  '/book-therapist?practitionerId=4&datetime=2026-03-04T14:00%2B00:00',
  '/found-therapists?page=2#top',
])('the path %s on this site is kept', (path) => {
  expect(safeReturnPath(path)).toBe(path)
})

test.each([
  null,
  '',
  'my-sessions',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'javascript:alert(1)',
  '/sign-in?return_to=/sign-in',
  '/therapist/sign-up',
  '/reset-password?token=x',
])('%j is not gone back to', (path) => {
  expect(safeReturnPath(path)).toBe('/')
  // As a browser reads it, the result stays on this origin.
  expect(new URL(safeReturnPath(path), 'https://hearth.test').origin).toBe('https://hearth.test')
})

test('the sign-in link carries the page one came from, except home and other sign-in pages', () => {
  expect(withReturnPath('/sign-in', { pathname: '/chat', search: '?dialogId=3' })).toBe(
    '/sign-in?return_to=%2Fchat%3FdialogId%3D3',
  )
  expect(withReturnPath('/sign-in', { pathname: '/' })).toBe('/sign-in')
  expect(withReturnPath('/sign-in', { pathname: '/sign-up' })).toBe('/sign-in')
})
