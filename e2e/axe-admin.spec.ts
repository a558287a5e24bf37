import type { RepeatedAbsence } from '#contract/back-office/absences.ts'
import type { NoShowDispute } from '#contract/back-office/no-shows.ts'
import type { GatewayIncident, LateReturn, PaidSession } from '#contract/back-office/payments.ts'
import type { Payable, RecordedPayout, VideoOrder } from '#contract/back-office/practitioners.ts'
import { looker, screens, walking } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { walkForm } from './forms.ts'
import { handInProfile, signInAsAdmin, signInDemoAdmin } from './admin.ts'

const at = '2026-06-08T09:00:00.000Z'
const paid: PaidSession = {
  session_id: '01a1fd89-de6d-75aa-850c-45025bf503e4',
  status: 'completed',
  starts_at: at,
  series: {
    series_id: '01a1fd89-de6d-75aa-850c-45025bf503e5',
    state: 'active',
    rhythm: { weekday: 1, start: '10:00', every_weeks: 1, duration_minutes: 50, timezone: 'Europe/London' },
  },
  client: { full_name: 'Alex Morgan', email: 'alex@example.test' },
  practitioner: { practitioner_id: 1, full_name: 'Priya Patel' },
  paid: 60,
  refunded: 12.5,
  refundable: 47.5,
  payments: [{ amount: 60, state: 'captured', card: 'Visa ending in 4242', at }],
  refunds: [
    { amount: 12.5, state: 'requested', origin: 'product', reason: 'They waited for half an hour.', at },
  ],
  disputes: [{ amount: 60, state: 'won', at }],
}
const late: LateReturn = {
  session_id: paid.session_id,
  kind: 'refund',
  booking_type: 'get-help-right-now',
  amount: 25,
  card: 'Visa ending in 4242',
  client: paid.client,
  since: at,
  promised_by: '2026-06-09T09:00:00.000Z',
  attempts: 7,
}
const absence: RepeatedAbsence = {
  practitioner_id: 7,
  full_name: 'Priya Patel',
  since: '2026-06-15T09:10:00.000Z',
  sessions: [
    { appointment_id: '01a1fd89-de6d-75aa-850c-45025bf503e7', starts_at: '2026-06-08T09:00:00.000Z' },
    { appointment_id: '01a1fd89-de6d-75aa-850c-45025bf503e8', starts_at: '2026-06-15T09:00:00.000Z' },
  ],
}

const incident: GatewayIncident = {
  incident_id: '01a1fd89-de6d-75aa-850c-45025bf503e5',
  kind: 'refund_failed',
  reference: 're_3Q1example0000000000000000',
  amount: 60,
  at,
  session_id: paid.session_id,
  session_starts_at: at,
  practitioner_id: 1,
  payer: paid.client,
  paid_for: 'session',
  dispute: null,
  decisions: ['noted', 'paid_otherwise'],
}
const dispute: GatewayIncident = {
  ...incident,
  incident_id: '01a1fd89-de6d-75aa-850c-45025bf503e6',
  kind: 'dispute',
  dispute: 'open',
  decisions: [],
}
const recordedPayout: RecordedPayout = {
  payout_id: '0197a1a0-0000-7000-8000-000000000001',
  practitioner_id: 1,
  full_name: 'Priya Patel',
  email: 'priya@example.com',
  amount: 60,
  reference: 'BACS 1234',
  paid_out_at: '2026-06-09T09:00:00.000Z',
  reversal: null,
}
const payable: Payable = {
  practitioner_id: 1,
  full_name: 'Priya Patel',
  email: 'priya@example.test',
  owed: 120,
  held: 60,
  payable: 60,
  paid_out_at: at,
  suspended_for: null,
  is_withheld: false,
}
const video: VideoOrder = {
  practitioner_id: 1,
  full_name: 'Priya Patel',
  email: 'priya@example.test',
  price: 10,
  ordered_at: at,
  done_at: null,
  state: 'ordered',
  version: 0,
  dates: [],
  dates_expired: false,
  agreed_date: null,
  note: null,
  uploaded_at: null,
  timezone: 'Europe/Madrid',
  undo: null,
}
const videos: VideoOrder[] = [
  video,
  {
    ...video,
    practitioner_id: 2,
    full_name: 'Mary Okafor',
    state: 'dates_proposed',
    version: 1,
    dates: ['2030-06-10T09:00:00.000Z', '2030-06-11T13:00:00.000Z'],
    undo: 'proposal',
  },
  {
    ...video,
    practitioner_id: 3,
    full_name: 'Tom Baker',
    state: 'date_agreed',
    version: 2,
    agreed_date: '2030-06-10T09:00:00.000Z',
    timezone: 'Europe/London',
  },
  {
    ...video,
    practitioner_id: 4,
    full_name: 'Amina Diallo',
    state: 'uploaded',
    version: 3,
    uploaded_at: at,
    undo: 'upload',
  },
  {
    ...video,
    practitioner_id: 5,
    full_name: 'Rhys Morgan',
    state: 'change_asked',
    version: 4,
    uploaded_at: at,
    note: 'Please cut the part about the weather, and say my name as it is spelt.',
  },
]
const noShow: NoShowDispute = {
  appointment_id: '00000000-0000-4000-8000-000000000001',
  state: 'disputed',
  starts_at: at,
  ends_at: at,
  declared_at: at,
  disputed_at: at,
  decided_at: null,
  decided_by: null,
  decision_reason: null,
  client_words: 'I waited for half an hour.',
  appointment_type: 'online',
  room: 'hearth',
  seen: { client: true, practitioner: false },
  attendance: { client: { first_in: at, last_out: at, minutes: 0 }, practitioner: null },
  client: { full_name: 'Alex Morgan', email: 'alex@example.test' },
  practitioner: { practitioner_id: 1, full_name: 'Priya Patel', email: 'priya@example.test' },
  paid: 60,
  refunded: 0,
}
const meta = { total: 1, page: 1, per_page: 25 }

test.use(walking)

test('the back office', async ({ page, request, allowComplaint }) => {
  allowComplaint(/status of (401|404|422|500)/)
  const { look, expectAllSeen } = looker(page, screens.admin)
  const therapist = await handInProfile(request)
  await page.goto('/admin/sign-in')
  await look('sign-in')
  await page.getByLabel('Email').fill('nobody@example.test')
  await page.getByLabel('Password', { exact: true }).fill('not a password')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('The email or the password is not right.')).toBeVisible()
  await look('sign-in, refused')
  await page.route('**/admin/login', (route) =>
    route.fulfill({ status: 401, json: { code: 'totp_required', message: 'Enter a code.' } }),
  )
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused()
  await look('sign-in, a code is asked for')
  await page.unroute('**/admin/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await look('forgot password')
  await page.getByLabel('Email').fill('nobody@example.test')
  await page.getByLabel('Email').press('Enter')
  await expect(page.getByRole('main').getByText('We sent you a message with a new password.')).toBeVisible()
  await look('forgot password, asked for')
  await page.goto('/admin/reset-password?token=made-up&email=nobody%40example.test')
  await page.getByLabel('New password', { exact: true }).fill('six tall poplars')
  await page.getByLabel('New password again').fill('six tall poplars')
  await page.route('**/admin/password/reset', (route) =>
    route.fulfill({
      status: 422,
      json: { code: 'wrong_code', message: 'Wrong.', errors: { totp: ['This code is not right.'] } },
    }),
  )
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.getByLabel('Code', { exact: true }).press('Enter')
  await expect(page.getByText('This code is not right.')).toBeVisible()
  await look('reset password, wrong code')
  await page.unroute('**/admin/password/reset')
  await page.getByRole('button', { name: 'Save new password' }).click()
  await expect(page.getByRole('alert')).toContainText('This link has expired or has already been used.')
  await look('reset password, dead link')
  await page.goto('/admin/sign-in?password_changed')
  await expect(
    page.getByRole('main').getByText('Your password is changed. Log in with the new one.'),
  ).toBeVisible()
  await signInAsAdmin(page)
  await expect(page.getByRole('list', { name: 'Practitioners' })).toBeVisible()
  await look('queue')
  await page.goto('/admin?show=all&search=Xyzzyqqq')
  await expect(page.getByRole('heading', { name: 'No practitioner by that name' })).toBeVisible()
  await look('queue, nobody')
  await page.route('**/admin/practitioners?*', (route) => route.fulfill({ status: 500, body: 'no' }))
  await page.goto('/admin')
  await expect(page.getByRole('heading', { name: 'This list did not load' })).toBeVisible()
  await look('queue, failed')
  await page.unroute('**/admin/practitioners?*')
  await page.goto('/admin/practitioner?id=2147483647')
  await expect(page.getByRole('heading', { name: 'There is no such practitioner' })).toBeVisible()
  await look('practitioner, not there')
  await page.goto(`/admin/practitioner?id=${therapist.id}`)
  await expect(page.getByText('It cannot be approved yet')).toBeVisible()
  await look('practitioner, handed in')
  await page.getByRole('button', { name: 'Show the document: Identity document' }).click()
  await expect(page.getByRole('img', { name: 'Identity document' })).toBeVisible()
  await page.getByRole('button', { name: 'Show the document: DBS certificate' }).click()
  await expect(page.getByRole('link', { name: 'Download the PDF' })).toBeVisible()
  await page
    .getByLabel(/^Last day/)
    .last()
    .fill('2020-01-31')
  await walkForm(page, 'features/back-office/FactDecision', {
    submit: 'Accept Licence GMC 7654321',
    fields: [[/^Last day/]],
    isSent: true,
  })
  await expect(page.getByText(/^This day has passed/)).toBeVisible()
  await look('practitioner, documents shown')
  await page.getByRole('button', { name: 'Refuse DBS certificate' }).click()
  await walkForm(page, 'features/back-office/ReasonDialog', {
    within: page.getByRole('dialog'),
    submit: 'Refuse',
    fields: [['Reason']],
  })
  await look('practitioner, refusing')
  await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click()
  await page.goto('/admin/payments?search=Xyzzyqqq')
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await look('payments, nothing')
  // Sessions that are over take longer than a test may.
  await page.route('**/admin/payments?*', (route) => route.fulfill({ json: { data: [paid], meta } }))
  await page.route('**/admin/payments/late-returns', (route) =>
    route.fulfill({ json: { data: [late], total: 1 } }),
  )
  await page.route('**/admin/payments/incidents', (route) =>
    route.fulfill({ json: { data: [incident, dispute], total: 2 } }),
  )
  await page.goto('/admin/payments')
  await expect(page.getByText('A refund is late')).toBeVisible()
  await page.getByRole('button', { name: /^It was paid by bank transfer/ }).click()
  await walkForm(page, 'features/back-office/Incidents', {
    within: page.getByRole('dialog'),
    submit: 'It was paid by bank transfer',
    fields: [['Reason']],
  })
  await look('payments, deciding')
  await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click()
  await page.getByRole('button', { name: 'Refund Alex Morgan' }).click()
  await page.getByLabel('Amount').fill('a lot')
  await walkForm(page, 'features/back-office/RefundDialog', {
    within: page.getByRole('dialog'),
    submit: 'Refund',
    fields: [['Amount', '12.50'], ['Reason']],
  })
  await look('payments, giving back')
  await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click()
  await look('payments')
  await page.route('**/api/v7/admin/payouts?*', (route) =>
    route.fulfill({
      json: {
        data: [
          payable,
          {
            ...payable,
            practitioner_id: 2,
            full_name: 'Sam Okafor',
            owed: -20,
            held: 0,
            payable: 0,
            suspended_for: 'conduct',
            is_withheld: true,
          },
        ],
        meta,
      },
    }),
  )
  await page.goto('/admin/payouts')
  await look('payouts')
  await page.getByRole('button', { name: 'Mark as paid out to Priya Patel' }).click()
  await page.getByLabel('Amount').fill('a lot')
  await walkForm(page, 'features/back-office/PayoutDialog', {
    within: page.getByRole('dialog'),
    submit: 'It has been transferred',
    fields: [['Amount', '12.50'], ['Bank reference']],
  })
  await look('payouts, writing one down')
  await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click()
  await page.getByRole('button', { name: 'Record a transfer to Sam Okafor' }).click()
  await expect(page.getByText('Suspended for: Conduct')).toBeVisible()
  await look('payouts, during a suspension')
  await page.route('**/admin/payouts/recorded?*', (route) =>
    route.fulfill({
      json: {
        data: [
          recordedPayout,
          {
            ...recordedPayout,
            payout_id: '0197a1a0-0000-7000-8000-000000000002',
            reversal: { reason: 'returned_by_bank', reversed_at: '2026-06-10T09:00:00.000Z' },
          },
        ],
        meta,
      },
    }),
  )
  await page.goto('/admin/payouts?show=recorded')
  await look('payouts, recorded')
  await page.getByRole('button', { name: 'Reverse the payout BACS 1234 to Priya Patel' }).click()
  await walkForm(page, 'features/back-office/ReversePayoutDialog', {
    within: page.getByRole('dialog'),
    submit: 'Reverse it',
    fields: [
      ['The bank sent it back Ask priya@example.com for the right account before you pay it out again.'],
    ],
  })
  await look('payouts, reversing one')
  await page.route('**/admin/no-shows?*', (route) => route.fulfill({ json: { data: [noShow], meta } }))
  await page.goto('/admin/no-shows')
  await expect(page.getByText('I waited for half an hour.')).toBeVisible()
  await look('no-shows')
  await page.getByRole('button', { name: /^Overturn and refund/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Overturn and refund' }).click()
  await expect(page.getByText('Give a reason.')).toBeVisible()
  await look('no-shows, deciding')
  await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click()
  await page.route('**/admin/absences', (route) => route.fulfill({ json: { data: [absence], total: 1 } }))
  await page.goto('/admin/no-shows')
  const absences = page.getByRole('list', { name: 'Practitioners who did not come' })
  await expect(absences.getByRole('link', { name: 'Priya Patel' })).toHaveCSS(
    'text-decoration-line',
    'underline',
  )
  await absences.getByRole('button', { name: 'Mark as dealt with: Priya Patel' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as dealt with' }).click()
  await expect(page.getByText('Give a reason.')).toBeVisible()
  await look('no-shows, with a practitioner who did not come')
  await page.route('**/admin/video-orders?*', (route) => route.fulfill({ json: { data: [video], meta } }))
  await page.goto('/admin/videos')
  await expect(page.getByRole('button', { name: 'Mark as made: the video of Priya Patel' })).toBeVisible()
  await look('videos')
  await page.goto('/admin/reports')
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible()
  await look('reports')
  await page.goto('/admin/audit')
  await expect(page.getByRole('list', { name: 'Entries' })).toBeVisible()
  await look('audit log')
  await page.goto('/admin/second-factor')
  await expect(page.getByRole('button', { name: 'Set up the app' })).toBeVisible()
  await look('second factor, off')
  // Shown, and never confirmed: other tests sign the same admin in.
  await page.getByRole('button', { name: 'Set up the app' }).click()
  await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible()
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await expect(page.getByText(/^This code is not right/)).toBeVisible()
  await look('second factor, setting up')
  await page.route('**/second-factor/confirm', (route) =>
    route.fulfill({
      json: { recovery_codes: Array.from({ length: 10 }, (_, at) => `ABCD-EFGH-JKLM-NPQ${at}`) },
    }),
  )
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await expect(page.getByRole('heading', { name: 'Keep your recovery codes' })).toBeFocused()
  await look('second factor, recovery codes')
  expectAllSeen()
})

test('video orders at the back office', async ({ page, request, allowComplaint }) => {
  allowComplaint(/status of 422/)
  const { look } = looker(page, [])
  await signInDemoAdmin(page, request)
  await page.route('**/admin/video-orders?*', (route) =>
    route.fulfill({ json: { data: videos, meta: { ...meta, total: videos.length } } }),
  )
  await page.goto('/admin/videos')
  await expect(
    page.getByRole('button', { name: 'Watch the video: introduction of Rhys Morgan' }),
  ).toBeVisible()
  await look('videos in each state')
  await page.getByRole('button', { name: 'Propose dates: the video of Priya Patel' }).click()
  const dates = page.getByRole('dialog', { name: 'Propose dates to Priya Patel' })
  await dates.getByLabel('Second date').fill('2030-06-08T10:00')
  await walkForm(page, 'features/back-office/ProposeDatesDialog', {
    within: dates,
    submit: 'Propose these dates',
    fields: [
      ['First date', new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 16)],
      [/^Second date/],
    ],
  })
  await look('videos, proposing dates')
  await dates.getByRole('button', { name: 'Go back' }).click()
  await page.getByRole('button', { name: 'Upload the video: the video of Tom Baker' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await look('videos, uploading one')
  await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click()
  await page.getByRole('button', { name: 'Mark as made: the video of Priya Patel' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await look('videos, marking one as made')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Go back' }).click()
  await page.getByRole('button', { name: 'Take the video back: the video of Amina Diallo' }).click()
  await page.route('**/admin/video-orders/*/undo', (route) =>
    route.fulfill({
      status: 422,
      json: { code: 'validation_failed', message: 'This order has changed since this page was loaded.' },
    }),
  )
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take the video back' }).click()
  await expect(page.getByText('Nothing was changed')).toBeVisible()
  await look('videos, taking one back failed')
})
