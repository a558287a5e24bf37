import { ownCalendars, type OwnCalendars } from '../test/own-calendar.ts'
import { looker, narrow, wear, wide } from './axe.ts'
import { expect } from './fixtures.ts'
import { test as ownServer } from './own-server.ts'
import { register, signIn } from './people.ts'
import { registerTherapist, signInTherapist } from './therapists.ts'

// What stands in for Google runs on this machine, in a process of its own.
const test = ownServer.extend<{ google: { current?: OwnCalendars } }>({
  google: async ({ seed: _seed }, use) => {
    const google: { current?: OwnCalendars } = {}
    await use(google)
    await google.current?.close()
  },
  environment: async ({ google }, use) =>
    use(async (url) => {
      const calendars = await ownCalendars(url)
      google.current = calendars
      return {
        GOOGLE_CALENDAR_CLIENT_ID: 'calendar-client',
        GOOGLE_CALENDAR_CLIENT_SECRET: 'calendar-secret',
        GOOGLE_CALENDAR_API: `${calendars.origin}/calendar/v3`,
        GOOGLE_CALENDAR_OAUTH: calendars.origin,
      }
    }),
})
test.use({ seed: 'reference', viewport: wide.viewport })
// The way to Google and back leads over its pages.
const toGoogle = /^request to another origin: http:\/\/127\.0\.0\.1:\d+\/(o\/oauth2|consent|favicon)/

test('a practitioner connects a Google Calendar, sees how it goes, and disconnects it; a client makes a link', async ({
  page,
  request,
  google,
  openContext,
  allowComplaint,
}) => {
  test.slow()
  allowComplaint(toGoogle)
  const eye = looker(page, [])
  const look = async (screen: string) => {
    await wear(page, narrow)
    await eye.look(screen)
    await wear(page, wide)
  }
  const part = page.getByRole('region', { name: 'Calendar app' })
  const goToGoogle = async () => {
    const opened = page.context().waitForEvent('page')
    await page.getByRole('dialog').getByRole('link', { name: 'Continue to Google' }).click()
    return opened
  }
  await signInTherapist(page, await registerTherapist(request))
  await page.goto('/therapist/calendar')
  await part.getByRole('button', { name: 'Connect Google Calendar' }).click()
  await expect(page.getByRole('link', { name: 'Continue to Google' })).toBeVisible()
  await look('what is read and written')

  const turnedBack = await goToGoogle()
  await expect(page.getByText('Waiting for you to come back from Google.')).toBeVisible()
  await turnedBack.getByRole('button', { name: 'Deny' }).click()
  await expect(turnedBack.getByText('You came back without agreeing.')).toBeVisible()
  // That tab has no session.
  await expect(turnedBack.getByRole('link', { name: 'Log in', exact: true }).first()).toBeAttached()
  await turnedBack.close()
  await page.getByRole('button', { name: 'Not now' }).click()
  await part.getByRole('button', { name: 'Connect Google Calendar' }).click()
  const agreeing = await goToGoogle()
  await agreeing.getByRole('button', { name: 'Allow' }).click()
  await expect(agreeing.getByText('Your Google Calendar is connected')).toBeVisible()
  await agreeing.close()

  // The page that one came from follows by itself.
  await expect(part.getByText('Your Google Calendar is connected')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(part.getByText('Connected as sam.hale@example.test')).toBeVisible()
  await look('connected')
  await page.reload()
  await expect(part.getByText(/Busy times last read/)).toBeVisible()

  await google.current?.control('revoke')
  await google.current?.control('expire')
  await part.getByRole('button', { name: 'Disconnect Google Calendar' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await look('asked before disconnecting')
  await page.getByRole('button', { name: 'Keep it' }).click()
  await expect(part.getByText('Connected as sam.hale@example.test')).toBeVisible()
  await part.getByRole('button', { name: 'Disconnect Google Calendar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect', exact: true }).click()
  await expect(part.getByRole('button', { name: 'Connect Google Calendar' })).toBeVisible({ timeout: 20_000 })

  const theirs = await (await openContext()).newPage()
  await signIn(theirs, await register(request))
  await theirs.goto('/account')
  await theirs.getByRole('link', { name: /^Calendar link/ }).click()
  await theirs.getByRole('button', { name: 'Make a link' }).click()
  const field = theirs.getByLabel('Link for your calendar app')
  const first = await field.inputValue()
  expect(await (await request.get(first)).text()).toContain('BEGIN:VCALENDAR')
  await theirs.getByRole('button', { name: 'Make a new link' }).click()
  const asked = theirs.getByRole('alertdialog')
  await asked.getByRole('button', { name: 'Make a new link' }).click()
  await expect(field).not.toHaveValue(first)
  expect((await request.get(first)).status()).toBe(404)
  await theirs.reload()
  await expect(theirs.getByText(/^Connected since/)).toBeVisible()
  await theirs.getByRole('button', { name: 'Disconnect' }).click()
  await asked.getByRole('button', { name: 'Disconnect' }).click()
  await expect(theirs.getByRole('button', { name: 'Make a link' })).toBeVisible()
})
