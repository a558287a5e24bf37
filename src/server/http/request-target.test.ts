import { expect, test } from 'vitest'
import { pathOfTarget } from './request-target.ts'

test.each([
  ['/a/b?c=d', '/a/b?c=d'],
  ['//host/a', '//host/a'],
  ['http://host/', '/'],
  ['http://host', '/'],
  ['HTTP://user@host:80/a?b=http://c/', '/a?b=http://c/'],
  ['https://host?a=b', '/?a=b'],
  ['*', '/*'],
])('the path of the request target %s is %s', (target, path) => {
  expect(pathOfTarget(target)).toBe(path)
})
