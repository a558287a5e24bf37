import { expect, test } from 'vitest'
import { auditSubjectLabel } from './admin-labels.ts'

test('an audit entry shows the instant in its subject as a day and time in London', () => {
  const start = `${new Date().getFullYear()}-06-10T09:00:00.000Z`
  const label = auditSubjectLabel(`waitlist entry 4f0c, ${start}`)
  expect(label).toMatch(/^waitlist entry 4f0c, \w+day 10 June, 10:00$/)
})

test('an audit entry without an instant keeps its subject, days included', () => {
  expect(auditSubjectLabel('practitioner 12, until 2026-06-10')).toBe('practitioner 12, until 2026-06-10')
})
