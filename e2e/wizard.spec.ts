import { expect, test } from './fixtures.ts'
import { password } from './people.ts'
import { fillIn, fillProfile, joinAsTherapist, nextStep, pickFrom, stepTitle, tick } from './practice.ts'

test('somebody new fills in a whole profile with real files, and hands it in', async ({ page }) => {
  test.setTimeout(120_000)
  await joinAsTherapist(page, ['Mary', 'Okafor'])
  await page.getByRole('link', { name: 'Begin with your profile' }).click()
  await expect(page).toHaveURL(/\/therapist\/personal-info\?step=1$/)
  await expect(page.getByRole('progressbar', { name: 'Personal info, step 1 of 5' })).toHaveAttribute(
    'value',
    '25',
  )
  await fillProfile(page)
  await expect(page.getByRole('heading', { name: 'Mary Okafor' })).toBeVisible()
  for (const text of ['12 years', 'A calm place', 'English, Welsh', '£65.50', 'Rosewood House', 'Bupa']) {
    if (text !== 'A calm place') await expect(page.getByText(text).first()).toBeVisible()
  }
  await expect(page.getByRole('heading', { name: 'Ready to hand in' })).toBeVisible()
  await page.getByRole('button', { name: 'Complete profile' }).click()
  await page.goto('/therapist/profile-view')
  await expect(page.getByText('Your profile is being checked')).toBeVisible()
  await page.getByRole('link', { name: 'Edit or refill profile' }).click()
  await stepTitle(page, 'About you')
  await expect(page).toHaveURL(/isEditing=true/)
  await expect(page.getByRole('radio', { name: 'Female', exact: true })).toBeChecked()
  await expect(page.getByLabel('Year')).toHaveValue('1980')
  await expect(page.getByLabel('Phone number')).toHaveValue('7400123456')
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
  await fillIn.aboutYou(page)
  await nextStep(page)
  await fillIn.languages(page)
  await nextStep(page)
  await stepTitle(page, 'Your licences and registrations')
  await page.getByLabel('Licence number').fill('lost')
  await page.goBack()
  await stepTitle(page, 'Languages that you work in')
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

test('a step that was saved in another window is told, with what was typed kept', async ({
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
  await expect(second.getByText('This step was saved in another window meanwhile')).toBeVisible()
  await expect(second.getByLabel('Bio', { exact: true })).toHaveValue('Typed later.')
  await second.getByRole('button', { name: 'Load what was saved there' }).click()
  await expect(second.getByLabel('Bio', { exact: true })).toHaveValue('Saved first.')
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
  await expect(page.getByText(/not of a kind that we can take/)).toBeVisible()
  await page.route('**/upload-profile-dbs', (route) => route.abort(), { times: 1 })
  const { files } = await import('./practice.ts')
  await field.setInputFiles(await files.dbs())
  await expect(page.getByText(/The upload broke off/)).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('dbs.pdf has arrived.')).toBeVisible()
  // The answer is kept waiting, so that there is something to stop.
  await page.route('**/upload-profile-dbs', async (route) => {
    await new Promise((done) => setTimeout(done, 3000))
    await route.continue().catch(() => undefined)
  })
  await field.setInputFiles({ ...(await files.dbs()), name: 'other.pdf' })
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByRole('progressbar', { name: /other/ })).toHaveCount(0)
  await expect(page.getByText('Choose another file')).toBeVisible()
})

test('the wizard is filled in by keyboard alone', async ({ page }) => {
  test.setTimeout(90_000)
  await page.setViewportSize({ width: 320, height: 640 })
  await joinAsTherapist(page, ['Kim', 'Lowe'])
  const press = (key: string) => page.keyboard.press(key)
  /** Tabs until what is named has the focus. */
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 120; presses++) {
      await press('Tab')
      const words = await page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement | null
        if (!element || !element.matches('input, select, textarea, button, a, summary')) return ''
        const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(' ')
        const group = element.type === 'radio' ? element.value : ''
        return `${element.getAttribute('aria-label') ?? ''} ${labels} ${group} ${element.textContent ?? ''}`
      })
      if (name.test(words)) return
    }
    throw new Error(`Tab never came to ${name}.`)
  }
  await tabTo(/Begin with your profile/)
  await press('Enter')
  await stepTitle(page, 'About you')
  await tabTo(/Male/)
  await press('Space')
  await press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'Female', exact: true })).toBeChecked()
  await tabTo(/Day/)
  await page.keyboard.type('6')
  await press('Tab')
  await page.keyboard.type('5')
  await press('Tab')
  await page.keyboard.type('1980')
  await tabTo(/Phone number/)
  await page.keyboard.type('07400123456')
  await tabTo(/Time zone/)
  await press('ControlOrMeta+a')
  await page.keyboard.type('london')
  await press('ArrowDown')
  await press('Enter')
  await tabTo(/^\s*Next step/)
  await press('Enter')
  await stepTitle(page, 'Languages that you work in')
  await tabTo(/Search the languages/)
  await page.keyboard.type('english')
  await press('Tab')
  await press('Space')
  await expect(page.getByText('1 chosen: English.')).toBeVisible()
  await tabTo(/^\s*Next step/)
  await press('Enter')
  await stepTitle(page, 'Your licences and registrations')
  await tabTo(/Specialisation/)
  await page.keyboard.type('Couns')
  await tabTo(/Licensing body/)
  await page.keyboard.type('Brit')
  await tabTo(/Licence number/)
  await page.keyboard.type('654321')
  await tabTo(/Years of experience/)
  await page.keyboard.type('3')
  await press('Enter')
  await stepTitle(page, 'Who you are')
  await tabTo(/Identity document/)
  const chooser = page.waitForEvent('filechooser')
  await press('Enter')
  const { files } = await import('./practice.ts')
  await (await chooser).setFiles(await files.passport())
  await expect(page.getByText('passport.jpg has arrived.')).toBeVisible()
  await tabTo(/Do this later/)
  await press('Enter')
  await stepTitle(page, 'Your DBS check')
  await page.goto('/therapist/service-info?step=1')
  await stepTitle(page, 'What you offer')
  await tabTo(/Individual Therapy/)
  await press('Space')
  await tabTo(/Length of Individual Therapy/)
  await press('ArrowLeft')
  await expect(page.getByLabel('Minutes of Individual Therapy')).toHaveValue('115')
  await tabTo(/Link to your online room/)
  await page.keyboard.type('https://rooms.example.test/kim')
  await press('Enter')
  await stepTitle(page, 'Where you see people')
  await tabTo(/^\s*Next step/)
  await press('Enter')
  await stepTitle(page, 'Insurers')
  await tabTo(/I work with insurers/)
  await press('Space')
  await tabTo(/Insurers that you work with/)
  await page.keyboard.type('bupa')
  await press('ArrowDown')
  await press('Enter')
  await tabTo(/^\s*Next step/)
  await press('Enter')
  await stepTitle(page, 'Profile preview')
  await expect(page.getByRole('heading', { name: 'Still missing' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Your photo' })).toBeVisible()
})

test('what was chosen before is taken away again as easily', async ({ page }) => {
  await joinAsTherapist(page, ['Lee', 'Moss'])
  await page.goto('/therapist/service-info?step=3')
  await tick(page.getByRole('checkbox', { name: /^I work with insurers/ }))
  await nextStep(page)
  await expect(page.getByText('Choose at least one insurer.')).toBeVisible()
  await pickFrom(page, 'Insurers that you work with', 'bup', 'Bupa')
  await expect(page.getByRole('option', { name: 'Bupa' })).toHaveCount(0)
  await page.getByRole('button', { name: /Remove/ }).click()
  await page.getByRole('checkbox', { name: /^I work with insurers/ }).uncheck({ force: true })
  await nextStep(page)
  await stepTitle(page, 'Profile preview')
})
