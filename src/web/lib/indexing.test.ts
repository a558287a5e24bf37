import { expect, test } from 'vitest'
import { canonicalPath } from './indexing.ts'

const of = (address: string) => {
  const { pathname, search } = new URL(address, 'https://hearth.test')
  return canonicalPath({ pathname, search })
}

test('a public page has one canonical address, even with extra parameters', () => {
  expect(of('/')).toBe('/')
  expect(of('/find-therapist?filterType=need&step=2')).toBe('/find-therapist')
  expect(of('/frequently-asked-questions/')).toBe('/frequently-asked-questions')
  expect(of('/recommended-therapist?practitionerId=7&week=2027-01-04')).toBe(
    '/recommended-therapist?practitionerId=7',
  )
  expect(of('/found-therapists?session_type=online')).toBe('/found-therapists')
})

test('private pages, lists by filters and pages that are none have none', () => {
  for (const address of [
    '/my-sessions',
    '/account',
    '/account/cards',
    '/book-therapist?practitionerId=1',
    '/sign-in',
    '/recommended-therapy',
    '/recommended-therapist',
    '/recommended-therapist?practitionerId=x',
    '/found-therapists?issue_id=1',
    '/found-therapists?session_type=online&page=2',
    '/no-such-page',
  ]) {
    expect(of(address), address).toBeUndefined()
  }
})
