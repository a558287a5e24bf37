import { afterEach, expect, test } from 'vitest'
import { weekNames } from '#contract/common.ts'
import { buildTestApp, type TestApp } from '#test/build-test-app.ts'
import { createClient, createPractitioner, signInPractitioner } from '#test/factories.ts'

let app: TestApp
afterEach(() => app.close())

test('a field that was not sent is named in plain words, in a body and in a query', async () => {
  app = await buildTestApp()
  const { token } = await createClient(app)
  const body = await app.call('POST', '/client/verify-email', { token, body: {} })
  expect([body.status, body.body.errors]).toEqual([422, { token: ['This is missing.'] }])
  const query = await app.call('GET', '/find-therapist/get-help-right-now', { token })
  expect([query.status, query.body.errors]).toEqual([
    422,
    { issue_id: ['This is missing, or not a number.'] },
  ])
})

test('a body of one of two forms names the fields of the form that was sent', async () => {
  app = await buildTestApp()
  const { token } = await createClient(app)
  const card = { card_number: '4242424242424242', expiry_month: 12, expiry_year: 2030 }
  const save = (body: object) => app.call('POST', '/payment/sandbox/add-new-card', { token, body })
  const unsafe = await save(card)
  expect([unsafe.status, unsafe.body.errors]).toEqual([422, { cvv_number: ['This is missing.'] }])
  const unclear = await save({ ...card, cvv_number: '123', remember: 'yes' })
  expect(unclear.body.errors).toEqual({ remember: ['Choose yes or no.'] })
  expect(Object.keys((await save({})).body.errors ?? {})).toEqual(Object.keys({ ...card, cvv_number: '' }))

  const therapist = await signInPractitioner(app, await createPractitioner(app))
  const week = weekNames.map((name) => ({ week_name: name, online: [], face_to_face: [] }))
  const setUp = (body: unknown) => app.call('POST', '/therapist/setup-schedule', { token: therapist, body })
  const misspelt = week.map((day) => (day.week_name === 'Sut' ? { ...day, week_name: 'Sat' } : day))
  expect((await setUp(misspelt)).body.errors).toEqual({ '5.week_name': ['Choose from the list.'] })
  expect((await setUp({ schedule: misspelt })).body.errors).toEqual({
    'schedule.5.week_name': ['Choose from the list.'],
  })
  expect((await setUp({})).body.errors).toEqual({ schedule: ['This is missing.'] })
  expect((await setUp('Mon')).body.errors).toEqual({ body: ['Check this.'] })

  const recommend = (body: object) => app.call('POST', '/find-recommended-therapy', { body })
  const unanswered = await recommend({ therapy_category_id: 1 })
  expect(unanswered.body.errors).toEqual({ question_answer_array: ['This is missing.'] })
})
