import { approve, demoAdmin, handInProfile } from './admin.ts'
import { expect, test } from './fixtures.ts'
import { callAs, password } from './people.ts'
import { keyboardOf } from './keyboard.ts'
import { holdAnswers, loseAnswer } from './lost-answers.ts'
import {
  addService,
  fillIn,
  fillProfile,
  files,
  joinAsTherapist,
  nextStep,
  pickFrom,
  stepTitle,
  tick,
} from './onboarding.ts'
import { registerTherapist, signInTherapist } from './therapists.ts'

test('a new practitioner fills in a whole profile with real files, and submits it', async ({
  page,
  allowComplaint,
}) => {
  test.setTimeout(120_000)
  allowComplaint(/ERR_FAILED/)
  await joinAsTherapist(page, ['Mary', 'Okafor'])
  await page.getByRole('link', { name: 'Begin with your profile' }).click()
  await expect(page).toHaveURL(/\/therapist\/personal-info\?step=1$/)
  await expect(page.getByRole('progressbar', { name: 'Personal info, step 1 of 5' })).toHaveAttribute(
    'value',
    '25',
  )
  await fillProfile(page)
  await expect(page.getByRole('heading', { name: 'Mary Okafor' })).toBeVisible()
  for (const text of [
    '12 years',
    'she/they',
    'A calm place',
    'English, Welsh',
    '£65.50',
    'Rosewood House',
    'Bupa',
  ]) {
    if (text !== 'A calm place') await expect(page.getByText(text).first()).toBeVisible()
  }
  await expect(page.locator('video track[kind="captions"]')).toHaveCount(1)
  await page.getByText('Read what is said').click()
  await expect(page.getByText('This is how I work.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Ready to submit' })).toBeVisible()
  await loseAnswer(page, /\/therapist\/complete$/)
  await page.getByRole('button', { name: 'Complete profile' }).click()
  await expect(page.getByText('Your profile has not been submitted')).toBeVisible()
  await page.getByRole('button', { name: 'Complete profile' }).click()
  await expect(page).toHaveURL('/therapist/complete')
  await page.goto('/therapist/profile-view')
  await expect(page.getByRole('heading', { level: 1, name: 'View your therapist profile' })).toBeVisible()
  const way = page.getByRole('navigation', { name: 'Breadcrumb' })
  await expect(way.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/therapist/dashboard')
  await expect(page.getByText('Therapist works with insurance').first()).toBeVisible()
  await expect(page.getByText('Your profile is being checked')).toBeVisible()
  const certificate = page.getByRole('region', { name: 'Insurance certificate' })
  await expect(certificate).toContainText(/valid until .*1 May/)
  const link = page.waitForResponse(/\/documents\/[^/]+\/link$/)
  await certificate.getByRole('button', { name: 'View it' }).click()
  expect((await link).ok()).toBe(true)
  await page.getByRole('link', { name: 'Edit or refill profile' }).click()
  await stepTitle(page, 'About you')
  await expect(page).toHaveURL(/isEditing=true/)
  await expect(page.getByRole('radio', { name: 'Female', exact: true })).toBeChecked()
  await expect(page.getByLabel('Pronouns')).toHaveValue('she/they')
  await expect(page.getByLabel('Year')).toHaveValue('1980')
  await expect(page.getByLabel('Phone number')).toHaveValue('7400123456')
  await page.goto('/therapist/personal-info?step=3&isEditing=true')
  await stepTitle(page, 'Your licences and registrations')
  await expect(page.getByText('Being checked')).toBeVisible()
  await page.getByLabel('Licence number').fill('7777')
  await expect(page.getByText('Being checked')).toBeHidden()
  await page.getByLabel('Licence number').fill('123456')
  await expect(page.getByText('Being checked')).toBeVisible()
  await page.goto('/therapist/service-info?step=3&isEditing=true')
  await expect(page.getByRole('row', { name: /Bupa/ }).or(page.getByText('Bupa')).first()).toBeVisible()
  await nextStep(page)
  await expect(page).toHaveURL(/\/therapist\/profile-view$/)
})

test('a profile that was left is gone on with on another machine, without what was not saved', async ({
  page,
  openContext,
}) => {
  const { email } = await joinAsTherapist(page, ['Owen', 'Pryce'])
  await page.goto('/therapist/personal-info')
  await page.getByLabel('Day').fill('27')
  await page.getByLabel('Month').fill('3')
  await page.reload()
  await expect(page.getByText('What you typed here is back')).toBeVisible()
  await expect(page.getByLabel('Day')).toHaveValue('27')
  await expect(page.getByLabel('Month')).toHaveValue('3')
  await expect(page.getByLabel('Year')).toHaveValue('')
  await nextStep(page)
  await expect(page.getByText('Enter your date of birth as day, month and year.')).toBeVisible()
  await fillIn.aboutYou(page)
  await nextStep(page)
  await fillIn.languages(page)
  await nextStep(page)
  await stepTitle(page, 'Your licences and registrations')
  await page.getByLabel('Licence number').fill('lost')
  await page.goBack()
  await stepTitle(page, 'Languages you work in')
  await expect(page.getByRole('checkbox', { name: 'Welsh', exact: true })).toBeChecked()

  const elsewhere = await (await openContext()).newPage()
  await elsewhere.goto('/therapist/personal-info')
  await elsewhere.getByLabel('Email').fill(email)
  await elsewhere.getByLabel('Password', { exact: true }).fill(password)
  await elsewhere.getByRole('button', { name: 'Log in' }).click()
  await stepTitle(elsewhere, 'Your licences and registrations')
  await expect(elsewhere.getByLabel('Licence number')).toHaveValue('')
  await elsewhere.reload()
  await stepTitle(elsewhere, 'Your licences and registrations')
})

test('the time zone of the device is suggested, also where a browser calls it by an old name', async ({
  openContext,
  baseURL,
}) => {
  for (const zone of ['Asia/Kolkata', 'America/New_York']) {
    const page = await (await openContext({ timezoneId: zone, baseURL })).newPage()
    await joinAsTherapist(page, ['Anna', 'Rao'])
    await page.goto('/therapist/personal-info?step=1')
    await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue(zone.replace('_', ' '))
  }
})

test('a long bio survives a reload and the back button, and is saved alone from the preview', async ({
  page,
}) => {
  const bio = Array.from({ length: 540 }, (_, at) => `word${at}`).join(' ')
  const field = page.getByLabel('Bio', { exact: true })
  const backIn = page.getByText('What you typed here is back')
  await joinAsTherapist(page, ['Nia', 'Bevan'])
  await page.goto('/therapist/profile-preview')
  const change = page.getByRole('region', { name: 'Change one thing' })
  await expect(page.getByRole('heading', { name: 'Nia Bevan' })).toBeVisible()
  await expect(page.getByText(/£0|year of practice/).filter({ visible: true })).toHaveCount(0)
  await expect(
    page.getByRole('heading', { name: /^(About Nia|Sessions and prices|Ways of working)$/ }),
  ).toHaveCount(0)
  await page.getByRole('button', { name: 'Complete profile' }).click()
  await expect(page.getByText('Your profile is not submitted yet')).toBeInViewport()
  await expect(page.getByRole('link', { name: 'About you' }).first()).toBeFocused()
  await change.getByRole('link', { name: 'Your bio' }).click()
  await stepTitle(page, 'Your bio')
  await expect(page).toHaveTitle('Your bio, step 4 of 6, Professional info – Hearth')
  await page.getByLabel('In a sentence or two').fill('A calm place.')
  await field.fill(bio)
  await expect(page.getByText('540 words', { exact: true })).toBeVisible()
  await page.reload()
  await expect(backIn).toBeVisible()
  await expect(field).toHaveValue(bio)

  const asked = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await page.goBack()
  await asked.getByRole('button', { name: 'Stay here' }).click()
  await expect(asked).toHaveCount(0)
  await expect(field).toHaveValue(bio)
  await page.goBack()
  await asked.getByRole('button', { name: 'Leave without saving' }).click()
  await stepTitle(page, 'Profile preview')
  await expect(page.getByText('You have typed something that is not saved yet')).toBeVisible()
  await change.getByRole('link', { name: 'Your bio' }).click()
  await expect(field).toHaveValue(bio)

  // Within the wizard nothing is lost, so that nothing is asked.
  const steps = page.getByRole('navigation', { name: 'Steps of your profile' })
  await steps.getByRole('link', { name: 'Your photo' }).click()
  await stepTitle(page, 'Your photo')
  await expect(steps.getByText('0 of 14 steps done')).toBeVisible()
  await steps.getByRole('link', { name: /^Your bio\s*Not saved yet/ }).click()
  await expect(field).toHaveValue(bio)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await stepTitle(page, 'Profile preview')
  await expect(page.getByText('You have typed something that is not saved yet')).toHaveCount(0)
  await expect(page.getByText('word0 word1').first()).toBeVisible()
  await change.getByRole('link', { name: 'Your bio' }).click()
  await expect(field).toHaveValue(bio)
  await expect(backIn).toHaveCount(0)
  await expect(steps.getByText('1 of 14 steps done')).toBeVisible()

  await field.fill('Something else.')
  await page.reload()
  await page.getByRole('button', { name: 'Go back to what is saved' }).click()
  await expect(field).toHaveValue(bio)
  await field.fill('A secret.')
  const logOut = async () => {
    await page.getByRole('button', { name: /account$/ }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
  }
  await logOut()
  await asked.getByRole('button', { name: 'Stay here' }).click()
  await expect(asked).toHaveCount(0)
  await expect(field).toHaveValue('A secret.')
  await logOut()
  await asked.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL('/')
  const kept = await page.evaluate(() => JSON.stringify(sessionStorage))
  expect(kept).not.toContain('secret')
})

test('the words of a bio stand still while they are being saved', async ({ page, request }) => {
  const therapist = await registerTherapist(request, ['Olwen', 'Rees'])
  await signInTherapist(page, therapist)
  await page.goto('/therapist/professional-info?step=4')
  const bio = page.getByLabel('Bio', { exact: true })
  await page.getByLabel('In a sentence or two').fill('A calm place.')
  await bio.fill('I listen.')
  const answers = await holdAnswers(page, '**/therapist/update-profile', 'PUT')
  await nextStep(page)
  await answers.isAsked
  await expect(bio).not.toBeEditable()
  await page.getByRole('button', { name: 'What makes a good bio' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Back to writing' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  answers.release()
  await stepTitle(page, 'An introduction on video')
  await page.goBack()
  await expect(bio).toHaveValue('I listen.')
  await expect(bio).toBeEditable()
})

test('what is chosen in a step stands still while it is being saved', async ({ page, request }) => {
  await signInTherapist(page, await registerTherapist(request, ['Mair', 'Lloyd']))
  const saving = async (url: string, tryToChange: () => Promise<void>, method = 'POST') => {
    const answers = await holdAnswers(page, url, method)
    await nextStep(page)
    await answers.isAsked
    await tryToChange()
    answers.release()
  }

  await page.goto('/therapist/personal-info?step=1')
  await fillIn.aboutYou(page)
  const female = page.getByRole('radio', { name: 'Female', exact: true })
  const zone = page.getByRole('combobox', { name: 'Time zone' })
  await saving(
    '**/therapist/update-profile',
    async () => {
      await page.getByRole('radio', { name: 'Male', exact: true }).click({ force: true })
      await expect(female).toBeChecked()
      await female.press('ArrowDown')
      await expect(female).toBeChecked()
      await expect(female).toBeFocused()
      await page.getByLabel('Pronouns').press('ArrowDown')
      await expect(page.getByLabel('Pronouns')).toHaveValue('she/they')
      await expect(page.getByLabel('Day')).not.toBeEditable()
      await expect(page.getByLabel('Phone number')).not.toBeEditable()
      await expect(zone).not.toBeEditable()
      await zone.press('Escape')
      await zone.press('ArrowDown')
      await zone.press('ArrowDown')
      await zone.press('Enter')
      await page.getByRole('listbox').getByRole('option').first().click()
      await expect(zone).toHaveValue('Europe/London')
    },
    'PUT',
  )

  await stepTitle(page, 'Languages you work in')
  const welsh = page.getByRole('checkbox', { name: 'Welsh', exact: true })
  await tick(page.getByRole('checkbox', { name: 'English', exact: true }))
  await saving('**/add-language-list', async () => {
    await welsh.click({ force: true })
    await welsh.press('Space')
    await expect(welsh).not.toBeChecked()
  })

  await fillIn.licences(page)
  await saving('**/add-license-list', async () => {
    await page.getByRole('button', { name: 'Add another licence' }).press('Enter')
    await expect(page.getByRole('group', { name: /^Licence/ })).toHaveCount(1)
  })
  await stepTitle(page, 'Who you are')

  await page.goto('/therapist/service-info?step=3')
  await fillIn.insurers(page)
  const insurer = page.getByRole('row', { name: 'Bupa' })
  await saving('**/add-insurance-company-list', async () => {
    await page.getByRole('button', { name: /Remove/ }).press('Enter')
    await insurer.press('Delete')
    await expect(insurer).toBeVisible()
  })
  await stepTitle(page, 'Profile preview')
  await page.goto('/therapist/service-info?step=3')
  await expect(insurer).toBeVisible()
})

test('a practitioner who goes back while a step is saved stays at the step before', async ({
  page,
  request,
}) => {
  await signInTherapist(page, await registerTherapist(request, ['Menna', 'Pugh']))
  await page.goto('/therapist/professional-info?step=4')
  await page.getByLabel('In a sentence or two').fill('A calm place.')
  await page.getByLabel('Bio', { exact: true }).fill('I listen.')
  const answers = await holdAnswers(page, '**/therapist/update-profile', 'PUT')
  await nextStep(page)
  await answers.isAsked
  await page.getByRole('link', { name: 'Back', exact: true }).click()
  await stepTitle(page, 'Your photo')
  answers.release()
  const steps = page.getByRole('navigation', { name: 'Steps of your profile' })
  await expect(steps.getByText('1 of 14 steps done')).toBeVisible()
  await page.getByRole('link', { name: 'Back', exact: true }).click()
  await stepTitle(page, 'What you help with')
})

test('saving a step that was saved in another window shows a message and keeps what was typed', async ({
  page,
  context,
  allowComplaint,
}) => {
  allowComplaint(/status of 409/)
  await joinAsTherapist(page, ['Ada', 'Mensah'])
  await page.goto('/therapist/professional-info?step=4')
  const storage = await page.evaluate(() => JSON.stringify(sessionStorage))
  const second = await context.newPage()
  await second.addInitScript((kept) => {
    for (const [key, value] of Object.entries(JSON.parse(kept) as Record<string, string>)) {
      if (!sessionStorage.getItem(key)) sessionStorage.setItem(key, value)
    }
  }, storage)
  await second.goto('/therapist/professional-info?step=4')
  for (const [window, text] of [
    [page, 'Saved first.'],
    [second, 'Typed later.'],
  ] as const) {
    await window.getByLabel('In a sentence or two').fill(text)
    await window.getByLabel('Bio', { exact: true }).fill(text)
  }
  await nextStep(page)
  await stepTitle(page, 'An introduction on video')
  await nextStep(second)
  await expect(second.getByText('This step was saved in another window')).toBeVisible()
  await expect(second.getByLabel('Bio', { exact: true })).toHaveValue('Typed later.')
  await second.getByRole('button', { name: 'Load what was saved there' }).click()
  await expect(second.getByLabel('Bio', { exact: true })).toHaveValue('Saved first.')
})

test('a step that was saved in another window fills the open form, and refuses what was typed into it', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 409/)
  const therapist = await registerTherapist(request)
  const save = async (body: object) =>
    callAs(request, therapist, 'PUT', '/therapist/update-profile', { video_choice: 2, ...body })
  const link = 'https://www.youtube.com/watch?v='
  await save({ video_url_link: `${link}aaaaaaaaaaa` })
  await page.clock.install()
  await signInTherapist(page, therapist)
  const field = page.getByLabel('Link to your video')
  const words = page.getByLabel('What you say, in words')
  /** Opens the step with what this window read before, and answers its reading once more when that is asked for. */
  const openAgain = async () => {
    await page.goto('/therapist/personal-info?step=1')
    await stepTitle(page, 'About you')
    const answered = Promise.withResolvers<void>()
    await page.clock.fastForward(60_000)
    await page.route(
      /\/therapist\/profile$/,
      async (route) => {
        await answered.promise
        await route.continue()
      },
      { times: 1 },
    )
    return async () => {
      const read = page.waitForResponse(/\/therapist\/profile$/)
      answered.resolve()
      await read
    }
  }
  const readClean = await openAgain()
  await save({ video_url_link: `${link}bbbbbbbbbbb` })
  await page.getByRole('link', { name: 'An introduction on video' }).click()
  await expect(field).toHaveValue(`${link}aaaaaaaaaaa`)
  await readClean()
  await expect(field).toHaveValue(`${link}bbbbbbbbbbb`)

  const readTyped = await openAgain()
  await save({ video_url_link: `${link}ccccccccccc` })
  await page.getByRole('link', { name: 'An introduction on video' }).click()
  await words.fill('Typed here.')
  await readTyped()
  await nextStep(page)
  await expect(page.getByText('This step was saved in another window')).toBeVisible()
  await expect(words).toHaveValue('Typed here.')
  await page.getByRole('button', { name: 'Load what was saved there' }).click()
  await expect(field).toHaveValue(`${link}ccccccccccc`)
  await expect(words).toHaveValue('')
})

test('a step or a file is saved again after its answer was lost, with no word of another window', async ({
  page,
  allowComplaint,
}) => {
  allowComplaint(/ERR_FAILED/)
  await joinAsTherapist(page, ['Ada', 'Mensah'])
  await page.goto('/therapist/professional-info?step=4')
  await page.getByLabel('In a sentence or two').fill('A calm place.')
  await page.getByLabel('Bio', { exact: true }).fill('I listen.')
  await loseAnswer(page, /\/therapist\/update-profile$/, 'PUT')
  await nextStep(page)
  await expect(page.getByText('This step was not saved')).toBeVisible()
  await nextStep(page)
  await stepTitle(page, 'An introduction on video')

  await page.goto('/therapist/personal-info?step=5')
  await loseAnswer(page, /\/upload-profile-dbs$/)
  await page.getByLabel('DBS certificate', { exact: true }).setInputFiles(await files.dbs())
  await expect(page.getByText(/The upload was interrupted/)).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('dbs.pdf has arrived.')).toBeVisible()
})

test('an upload that is wrong says so, one that breaks off can be tried again, and one can be stopped', async ({
  page,
  allowComplaint,
}) => {
  allowComplaint(/status of 415|ERR_FAILED|net::/)
  await joinAsTherapist(page, ['Tess', 'Hall'])
  await page.goto('/therapist/personal-info?step=5')
  const field = page.getByLabel('DBS certificate', { exact: true })
  await nextStep(page)
  await expect(page.getByText('Upload your DBS check.')).toBeVisible()
  await field.setInputFiles({
    name: 'dbs.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('MZ this is a program'),
  })
  await expect(page.getByText(/cannot accept this kind of file/)).toBeVisible()
  await page.route('**/upload-profile-dbs', (route) => route.abort(), { times: 1 })
  await field.setInputFiles(await files.dbs())
  await expect(page.getByText(/The upload was interrupted/)).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('dbs.pdf has arrived.')).toBeVisible()
  await expect(page.getByText('We will check it when you submit your profile')).toBeVisible()
  await page.setViewportSize({ width: 320, height: 640 })
  const long = `${'Disclosure_and_barring_'.repeat(6)}certificate.pdf`
  await field.setInputFiles({ ...(await files.dbs()), name: long })
  await expect(page.getByText(`${long} has arrived.`)).toBeVisible()
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320)
  // The answer is kept waiting, so that there is something to stop.
  const stopped = Promise.withResolvers<void>()
  await page.route('**/upload-profile-dbs', async (route) => {
    await stopped.promise
    await route.continue().catch(() => undefined)
  })
  await field.setInputFiles({ ...(await files.dbs()), name: 'other.pdf' })
  await page.getByRole('button', { name: 'Stop' }).click()
  stopped.resolve()
  await expect(page.getByRole('progressbar', { name: /other/ })).toHaveCount(0)
  await expect(page.getByText('Choose another file')).toBeVisible()
})

test('a licence that was renewed under its number is sent to be checked again', async ({ page, request }) => {
  const therapist = await handInProfile(request)
  await approve(request, therapist.id)
  await signInTherapist(page, therapist)
  const path = '/therapist/personal-info?step=3&return=dashboard'
  await page.goto(path)
  await expect(page.getByText('Checked, valid until Sunday 1 January 2040')).toBeVisible()
  await page.getByRole('checkbox', { name: 'I have renewed this licence' }).focus()
  await page.keyboard.press('Space')
  await page.reload()
  await expect(page.getByText('What you typed here is back')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'I have renewed this licence' })).toBeChecked()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveURL(/\/therapist\/dashboard/)
  await page.goto(path)
  await expect(
    page.getByText('Checked, valid until Sunday 1 January 2040. Renewal: being checked'),
  ).toBeVisible()
  await expect(page.getByRole('group', { name: /^Licence/ })).toHaveCount(1)
  await expect(page.getByRole('checkbox', { name: 'I have renewed this licence' })).toHaveCount(0)
})

test('a step is not saved past a file that is on its way, and leaving it is asked about', async ({
  page,
  request,
}) => {
  const therapist = await handInProfile(request)
  await approve(request, therapist.id)
  await signInTherapist(page, therapist)
  await page.goto('/therapist/professional-info?step=6&return=dashboard')
  await stepTitle(page, 'Your professional insurance')
  await page.getByText('Yes', { exact: true }).click()
  const certificate = page.getByLabel('Insurance certificate', { exact: true })
  await certificate.setInputFiles(await files.certificate())
  await expect(page.getByText(/ has arrived\.$/)).toBeVisible()
  const arrived = Promise.withResolvers<void>()
  await page.route('**/upload-insurance-certificate', async (route) => {
    await arrived.promise
    await route.continue()
  })
  for (const [label, digits] of [
    ['Day', '31'],
    ['Month', '12'],
    ['Year', '2044'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(digits)
  }
  await certificate.setInputFiles({ ...(await files.certificate()), name: 'renewed.pdf' })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await expect(page.getByRole('alert').filter({ hasText: 'A file is still on its way' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to the dashboard' }).click()
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await expect(question).toContainText('It may not arrive if you leave this page now.')
  await question.getByRole('button', { name: 'Stay here' }).click()
  arrived.resolve()
  await expect(page.getByText('renewed.pdf has arrived.')).toBeVisible()
  await save.click()
  await expect(page).toHaveURL(/\/therapist\/dashboard/)
  await page.goto('/therapist/professional-info?step=6&return=dashboard')
  await expect(page.getByText(/31 December 2044/)).toBeVisible()
  // One that is not shown any more could not be stopped: it ends by itself.
  await page.unrouteAll()
  await page.route('**/upload-insurance-certificate', () => undefined)
  await certificate.setInputFiles({ ...(await files.certificate()), name: 'unwanted.pdf' })
  await expect(page.getByRole('progressbar', { name: /unwanted/ })).toBeVisible()
  await page.getByText('No', { exact: true }).click()
  await save.click()
  await expect(page).toHaveURL(/\/therapist\/dashboard/)
})

test('licences that are refused together are saved once they are put right', async ({
  page,
  request,
  allowComplaint,
}) => {
  allowComplaint(/status of 422/)
  const therapist = await handInProfile(request)
  await approve(request, therapist.id)
  await signInTherapist(page, therapist)
  await page.goto('/therapist/personal-info?step=3&return=dashboard')
  const number = page.getByLabel('Licence number').first()
  const checked = await number.inputValue()
  await number.fill('999999')
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await expect(page.getByText('Please keep the licence that we have checked').first()).toBeVisible()
  await number.fill(checked)
  await save.click()
  await expect(page).toHaveURL(/\/therapist\/dashboard/)
})

test('the wizard is filled in by keyboard alone', async ({ page }) => {
  test.setTimeout(120_000)
  await page.setViewportSize({ width: 320, height: 640 })
  await joinAsTherapist(page, ['Kim', 'Lowe'])
  const keys = keyboardOf(page)
  const next = () => keys.press(page.getByRole('button', { name: 'Next step' }), 'Enter')
  // Listened for throughout: without a listener the browser opens its own dialog, and it may learn of a new listener
  // only after a key has reached the page.
  page.on('filechooser', () => undefined)
  /** Opens the browser's own choice of files, and takes one. */
  const send = async (label: string, file: Awaited<ReturnType<typeof files.dbs>>) => {
    await keys.reach(page.getByLabel(label, { exact: true }), 'Tab')
    const chooser = page.waitForEvent('filechooser')
    await page.keyboard.press('Enter')
    await (await chooser).setFiles(file)
    await expect(page.getByText(`${file.name} has arrived.`)).toBeVisible()
  }
  await keys.press(page.getByRole('link', { name: 'Begin with your profile' }), 'Enter')
  await stepTitle(page, 'About you')
  await keys.reach(page.getByRole('radio', { name: 'Male', exact: true }), 'Tab')
  await keys.arrowTo(page.getByRole('radio', { name: 'Female', exact: true }))
  await keys.type(page.getByLabel('Day'), '6')
  await keys.type(page.getByLabel('Month'), '5')
  await keys.type(page.getByLabel('Year'), '1980')
  await keys.type(page.getByLabel('Phone number'), '07400123456')
  await keys.reach(page.getByRole('combobox', { name: 'Time zone' }), 'Tab')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('europe/lond')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await next()
  await stepTitle(page, 'Languages you work in')
  await keys.type(page.getByLabel('Search the languages'), 'english')
  await keys.press(page.getByRole('checkbox', { name: 'English' }), 'Space')
  await expect(page.getByText('1 chosen: English.')).toBeVisible()
  await next()
  await stepTitle(page, 'Your licences and registrations')
  await keys.type(page.getByLabel('Specialisation'), 'Counsellor')
  await keys.type(page.getByLabel('Licensing body'), 'General')
  await keys.type(page.getByLabel('Licence number'), '654321')
  await keys.type(page.getByLabel('Years of experience'), '3')
  await page.keyboard.press('Enter')
  await stepTitle(page, 'Who you are')
  await send('Identity document', await files.passport())
  await next()
  await stepTitle(page, 'Your DBS check')
  await send('DBS certificate', await files.dbs())
  await next()

  await stepTitle(page, 'How you work')
  await keys.press(page.getByRole('checkbox').first(), 'Space')
  await next()
  await stepTitle(page, 'What you help with')
  await keys.press(page.getByRole('checkbox').first(), 'Space')
  await keys.press(page.getByRole('checkbox', { name: 'Adults (18 to 64)' }), 'Space')
  await next()
  await stepTitle(page, 'Your photo')
  await keys.press(page.getByRole('link', { name: 'Do this later' }), 'Enter')
  await stepTitle(page, 'Your bio')
  await keys.type(page.getByLabel('In a sentence or two'), 'A calm place.')
  await keys.type(page.getByLabel('Bio', { exact: true }), 'I work with people who feel stuck.')
  await keys.press(page.getByRole('button', { name: 'What makes a good bio' }), 'Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await keys.press(page.getByRole('button', { name: 'Back to writing' }), 'Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await keys.expectKept()
  // Escape counts at once, before the focus has moved inside.
  const wasOpen = await page.evaluate(`(async () => {
    const guide = [...document.querySelectorAll('button')].find((button) => button.textContent === 'What makes a good bio')
    guide.click()
    await Promise.resolve()
    const isOpen = document.querySelector('[role=dialog]') !== null
    guide.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    return isOpen
  })()`)
  expect(wasOpen).toBe(true)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await next()
  await stepTitle(page, 'An introduction on video')
  await keys.reach(page.getByRole('radio', { name: /^I will upload my own/ }), 'Tab')
  await keys.arrowTo(page.getByRole('radio', { name: /^No video/ }))
  await next()
  await stepTitle(page, 'Your professional insurance')
  await keys.reach(page.getByRole('radio', { name: 'Yes' }), 'Tab')
  await page.keyboard.press('Space')
  await keys.type(page.getByLabel('Day'), '1')
  await keys.type(page.getByLabel('Month'), '5')
  await keys.type(page.getByLabel('Year'), String(new Date().getFullYear() + 1))
  await send('Insurance certificate', await files.certificate())
  await next()

  await stepTitle(page, 'What you offer')
  await keys.press(page.getByRole('button', { name: 'Add a service' }), 'Enter')
  const dialog = page.getByRole('dialog', { name: 'Add a service' })
  await keys.type(dialog.getByLabel('Type'), 'Individual')
  await keys.press(dialog.getByRole('radio', { name: 'Online' }), 'Space')
  await keys.reach(dialog.getByRole('slider', { name: 'Length' }), 'Tab')
  await page.keyboard.press('ArrowLeft')
  await expect(dialog.getByLabel('Minutes')).toHaveValue('115')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Your services' })).toContainText(
    'Individual TherapyOnline · 115 minutes · £160',
  )
  await keys.expectKept()
  // The chosen one of the two has the focus, and arrows choose.
  await keys.reach(page.getByRole('radio', { name: 'In Hearth’s private room' }), 'Tab')
  await page.keyboard.press('ArrowDown')
  await keys.type(page.getByLabel('Link to your online room'), 'https://rooms.example.test/kim')
  await page.keyboard.press('Enter')
  await stepTitle(page, 'Where you see people')
  await next()
  await stepTitle(page, 'Insurers')
  await keys.press(page.getByRole('checkbox', { name: /^I work with insurers/ }), 'Space')
  await keys.type(page.getByRole('combobox', { name: 'Insurers you work with' }), 'bupa')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await next()
  await stepTitle(page, 'Profile preview')
  await expect(page.getByRole('heading', { name: 'Still missing' })).toBeVisible()
  const missing = page.getByRole('region', { name: 'Still missing' })
  await expect(missing.getByRole('link', { name: 'Your photo' })).toBeVisible()
})

test('a service is added once in a format, changed, removed and kept through a reload', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await joinAsTherapist(page, ['Ivy', 'Nunn'])
  await page.goto('/therapist/service-info?step=1')
  await nextStep(page)
  await expect(page.getByText('Add at least one service.')).toBeVisible()
  const add = page.getByRole('button', { name: 'Add a service' })
  await expect(add).toBeFocused()
  await addService(page, { type: 'Couples Therapy', format: 'Online', minutes: '60', pounds: '80' })

  await add.click()
  const dialog = page.getByRole('dialog', { name: 'Add a service' })
  await dialog.getByRole('button', { name: 'Add service' }).click()
  await expect(dialog.getByText('Choose the type of service.')).toBeVisible()
  await expect(dialog.getByText('Choose online or face-to-face.')).toBeVisible()
  await dialog.getByLabel('Type').selectOption('Couples Therapy')
  await tick(dialog.getByRole('radio', { name: 'Online' }))
  await dialog.getByLabel('Pounds').fill('0')
  await dialog.getByRole('button', { name: 'Add service' }).click()
  await expect(dialog.getByText('You already offer this in this format.')).toBeVisible()
  await expect(dialog.getByText('Enter a price between £1 and £1,000.')).toBeVisible()
  await dialog.getByLabel('Type').selectOption('Family Therapy')
  await dialog.getByLabel('Pounds').fill('90')
  await dialog.getByRole('button', { name: 'Add service' }).click()
  const services = page.getByRole('list', { name: 'Your services' }).getByRole('listitem')
  await expect(services).toHaveCount(2)

  await page.getByRole('button', { name: 'Edit Couples Therapy, online' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit this service' })
  await edit.getByLabel('Pounds').fill('85.50')
  await edit.getByRole('button', { name: 'Save service' }).click()
  await expect(services.first()).toContainText('£85.50')
  await page.getByRole('button', { name: 'Remove Family Therapy, online' }).click()
  const asked = page.getByRole('alertdialog', { name: 'Remove this service?' })
  await asked.getByRole('button', { name: 'Keep it' }).click()
  await expect(services).toHaveCount(2)
  await page.getByRole('button', { name: 'Remove Family Therapy, online' }).click()
  await asked.getByRole('button', { name: 'Remove' }).click()
  await expect(services).toHaveCount(1)
  await expect(add).toBeFocused()

  await page.reload()
  await expect(services).toHaveCount(1)
  await expect(services.first()).toContainText('Couples TherapyOnline · 60 minutes · £85.50')
  await expect(page.getByRole('radio', { name: 'In Hearth’s private room' })).toBeChecked()
  await expect(page.getByLabel('Link to your online room')).toHaveCount(0)
  await expect(page.getByText('Video connects directly')).toBeVisible()
  const another = page.getByLabel('Your own link, as another way')
  await another.fill('rooms.example.test/ivy')
  await nextStep(page)
  await expect(page.getByText('Enter a link that starts with https://')).toBeVisible()
  await another.fill('https://rooms.example.test/ivy')
  await nextStep(page)
  await stepTitle(page, 'Where you see people')
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(services.first()).toContainText('Couples TherapyOnline · 60 minutes · £85.50')
  await expect(page.getByRole('radio', { name: 'In Hearth’s private room' })).toBeChecked()
  await expect(another).toHaveValue('https://rooms.example.test/ivy')
})

test('a video link that cannot be shown is refused, captions with a fault say where, and both can be put right', async ({
  page,
  allowComplaint,
}) => {
  allowComplaint(/status of 422/)
  await joinAsTherapist(page, ['Una', 'Brett'])
  await page.goto('/therapist/professional-info?step=5')
  await tick(page.getByRole('radio', { name: /^I have a link/ }))
  await page.getByLabel('Link to your video').fill('https://vimeo.com/76979871')
  await nextStep(page)
  await expect(page.getByText('We can only show videos from YouTube.')).toBeVisible()
  await tick(page.getByRole('radio', { name: /^I will upload my own/ }))
  await expect(page.getByLabel('Captions', { exact: true })).toHaveCount(0)
  await fillIn.upload(page, 'An introduction on video', 'Your video', files.recording())
  await expect(page.locator('video track')).toHaveCount(0)
  const captions = page.getByLabel('Captions', { exact: true })
  await captions.setInputFiles({
    name: 'hello.vtt',
    mimeType: 'text/vtt',
    buffer: Buffer.from('WEBVTT\n\n00:00:02.000 --> 00:00:01.000\nHello.\n'),
  })
  await expect(page.getByText('Line 3: this caption ends before it starts.')).toBeVisible()
  await captions.setInputFiles(files.captions())
  await expect(page.getByText('Your captions are here')).toBeVisible()
  await expect(page.locator('video track')).toHaveCount(1)
  await page.getByRole('button', { name: 'Remove the captions' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Your captions are here')).toHaveCount(0)
  await expect(page.locator('video track')).toHaveCount(0)
  await nextStep(page)
  await stepTitle(page, 'Your professional insurance')
})

test('captions are neither sent nor removed while another video is on its way', async ({ page }) => {
  await joinAsTherapist(page, ['Vera', 'Lane'])
  await page.goto('/therapist/professional-info?step=5')
  await tick(page.getByRole('radio', { name: /^I will upload my own/ }))
  await fillIn.upload(page, 'An introduction on video', 'Your video', files.recording())
  await fillIn.upload(page, 'An introduction on video', 'Captions', files.captions())
  const arrived = Promise.withResolvers<void>()
  await page.route('**/upload-profile-video', async (route) => {
    await arrived.promise
    await route.continue()
  })
  await page
    .getByLabel('Your video', { exact: true })
    .setInputFiles({ ...files.recording(), name: 'second.webm' })
  const waiting = 'A file is still on its way. Please wait until it has arrived.'
  await page.getByRole('button', { name: 'Remove the captions' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove the captions?' })
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(question.getByRole('alert')).toContainText(waiting)
  await question.getByRole('button', { name: 'Keep them' }).click()
  await page
    .getByLabel('Captions', { exact: true })
    .setInputFiles({ ...files.captions(), name: 'second.vtt' })
  await expect(page.getByRole('alert').filter({ hasText: waiting })).toBeVisible()
  arrived.resolve()
  await expect(page.getByText('second.webm has arrived.')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('second.vtt has arrived.')).toBeVisible()
})

test('an uploaded video is deleted for another choice only once that is confirmed', async ({ page }) => {
  await joinAsTherapist(page, ['Iris', 'Cole'])
  await page.goto('/therapist/professional-info?step=5')
  await tick(page.getByRole('radio', { name: /^I will upload my own/ }))
  await fillIn.upload(page, 'An introduction on video', 'Your video', files.recording())
  const question = page.getByRole('alertdialog', { name: 'Delete your video?' })
  for (const choice of [/^Hearth makes it/, /^No video/]) {
    await tick(page.getByRole('radio', { name: choice }))
    await nextStep(page)
    await question.getByRole('button', { name: 'Keep the video' }).click()
    await expect(question).toHaveCount(0)
  }
  await stepTitle(page, 'An introduction on video')
  await page.reload()
  await tick(page.getByRole('radio', { name: /^I will upload my own/ }))
  await expect(page.getByText('Your video is here')).toBeVisible()
  await tick(page.getByRole('radio', { name: /^No video/ }))
  await nextStep(page)
  await question.getByRole('button', { name: 'Delete the video' }).click()
  await stepTitle(page, 'Your professional insurance')
  await page.goBack()
  await expect(page.getByRole('radio', { name: /^No video/ })).toBeChecked()
})

test('what was chosen before is taken away again as easily', async ({ page }) => {
  await joinAsTherapist(page, ['Lee', 'Moss'])
  await page.goto('/therapist/service-info?step=3')
  await tick(page.getByRole('checkbox', { name: /^I work with insurers/ }))
  await nextStep(page)
  await expect(page.getByText('Choose at least one insurer.')).toBeVisible()
  await pickFrom(page, 'Insurers you work with', 'bup', 'Bupa')
  await expect(page.getByRole('option', { name: 'Bupa' })).toHaveCount(0)
  await page.getByRole('button', { name: /Remove/ }).click()
  await page.getByRole('checkbox', { name: /^I work with insurers/ }).uncheck({ force: true })
  await nextStep(page)
  await stepTitle(page, 'Profile preview')
})

test('a profile that was not approved is changed and submitted again from wherever its reason is read', async ({
  page,
  request,
}) => {
  const therapist = await handInProfile(request)
  await callAs(request, await demoAdmin(request), 'POST', `/admin/practitioners/${therapist.id}/reject`, {
    reason: 'Your bio says nothing about how you work.',
  })
  const reason = page.getByText('Your bio says nothing about how you work.').first()
  const submit = page.getByRole('button', { name: 'Complete profile' })
  await signInTherapist(page, therapist)
  for (const path of ['/therapist/profile-view', '/therapist/complete']) {
    await page.goto(path)
    await expect(reason).toBeVisible()
    await page.getByRole('link', { name: 'Change it and submit it again' }).click()
    await expect(page).toHaveURL('/therapist/profile-preview')
    await expect(submit).toBeVisible()
  }
  await page.goto('/therapist/dashboard')
  await expect(reason).toBeVisible()
  await page.getByRole('link', { name: 'Change your profile' }).click()
  await expect(page).toHaveURL('/therapist/profile-preview')
  await expect(reason).toBeVisible()
  await page.getByRole('link', { name: 'Your bio' }).click()
  await page.getByLabel('Bio', { exact: true }).fill('I listen first, and we decide together what to try.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await stepTitle(page, 'Profile preview')
  await submit.click()
  await expect(page).toHaveURL('/therapist/complete')
  await expect(page.getByText(/^Thank you\. We will now check your profile/)).toBeVisible()
  await expect(reason).toHaveCount(0)
})
