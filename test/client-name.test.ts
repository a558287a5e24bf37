import { expect, test } from 'vitest'
import { clientName, clientNameOf } from '#contract/client-name.ts'

test('a client is named by first name and initial, and as a former one without a name', () => {
  expect(clientName({ firstName: 'Alex', lastName: 'Morgan' })).toBe('Alex M.')
  expect(clientName({ firstName: 'Zoë', lastName: 'éclair' })).toBe('Zoë É.')
  expect(clientName({ firstName: 'Alex', lastName: ' ' })).toBe('Alex')
  expect(clientName({ firstName: '', lastName: '' })).toBe('Former client')
  expect(clientName(undefined)).toBe('Former client')
})

test('a full name is shortened to the same', () => {
  expect(clientNameOf(' Alex Morgan ')).toBe('Alex M.')
  expect(clientNameOf('Mary Ann Okafor')).toBe('Mary A.')
  expect(clientNameOf('Cher')).toBe('Cher')
})
