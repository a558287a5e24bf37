import { bookPath, fillCard, offerOfPractitioner, timeWords } from './booking.ts'
import { expect } from './fixtures.ts'
import { test } from './own-server.ts'
import { register, signIn } from './people.ts'
import { fillProfile, joinAsTherapist, stepTitle } from './onboarding.ts'

test('a new practitioner is approved, subscribes, sets a schedule, is found and is booked', async ({
  page,
  request,
  openContext,
}) => {
  test.setTimeout(240_000)
  const name = 'Rosalind Quaye'

  await test.step('sign-up and the whole profile', async () => {
    await joinAsTherapist(page, ['Rosalind', 'Quaye'])
    await page.getByRole('link', { name: 'Begin with your profile' }).click()
    await stepTitle(page, 'About you')
    await fillProfile(page, '770077')
    await page.getByRole('button', { name: 'Complete profile' }).click()
    await expect(page).toHaveURL('/therapist/complete')
    await expect(page.getByText('Thank you. We will now check your profile')).toBeVisible()
    await page.goto('/therapist/personal-info?step=5&isEditing=true')
    await expect(page.getByText('Waiting for our check')).toBeVisible()
    await page.goBack()
  })

  const found = async () => {
    const answer = await request.get('/api/v7/practitioner/get-practitioners', { params: { name } })
    const { data } = (await answer.json()) as { data: { practitioner_id: number; full_name: string }[] }
    return data.find(({ full_name }) => full_name === name)?.practitioner_id
  }

  await test.step('a card, and a subscription that begins with the approval', async () => {
    await page
      .getByRole('link', { name: /^(Update|Add a card)/ })
      .first()
      .click()
    await expect(page.getByRole('heading', { level: 1, name: 'Adding new card' })).toBeVisible()
    await fillCard(page)
    await page.getByRole('button', { name: 'Save card and subscribe' }).click()
    await expect(page).toHaveURL('/therapist/dashboard')
    expect(await found()).toBeUndefined()
  })

  await test.step('the back office looks at everything and approves', async () => {
    const office = await (await openContext()).newPage()
    await office.goto(new URL('/admin', page.url()).href)
    await office.getByLabel('Email').fill('admin@demo.test')
    await office.getByLabel('Password', { exact: true }).fill('demo-password')
    await office.getByRole('button', { name: 'Log in' }).click()
    await office.getByLabel('Name or email').fill('Quaye')
    await office.getByRole('button', { name: 'Search' }).click()
    await office.getByRole('link', { name: new RegExp(name) }).click()
    await expect(office.getByRole('heading', { level: 1, name })).toBeVisible()
    await office.getByRole('button', { name: 'Show the document: Identity document' }).click()
    const document = office.getByRole('img', { name: 'Identity document' })
    await expect(document).toBeVisible()
    const width = () =>
      document.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)
    await expect.poll(width).toBeGreaterThan(100)
    await expect(office.getByText('It has captions. It has a transcript.')).toBeVisible()
    await expect(office.getByRole('button', { name: 'Ask for captions or a transcript' })).toHaveCount(0)
    await expect(office.locator('video track[kind="captions"]')).toHaveCount(1)
    await office.getByText('Read what is said').click()
    await expect(office.getByText('This is how I work.')).toBeVisible()
    const accept = office.getByRole('button', { name: /^Accept / })
    for (let left = await accept.count(); left > 0; left--) {
      await accept.first().click()
      await expect(accept).toHaveCount(left - 1)
    }
    await office.getByRole('button', { name: 'Approve the profile' }).click()
    await office.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
  })

  await test.step('the first charge, and the practitioner is found', async () => {
    await expect.poll(found, { timeout: 30_000 }).toBeDefined()
  })

  await test.step('a schedule, set in the modal', async () => {
    await page.goto('/therapist/calendar')
    await page.getByRole('button', { name: 'Start now' }).click()
    const modal = page.getByRole('dialog', { name: 'Your weekly schedule' })
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']) {
      await modal.getByRole('tab', { name: new RegExp(`^${day}`) }).click()
      await modal.getByRole('checkbox', { name: 'Select all timeslots' }).check()
    }
    await modal.getByRole('button', { name: 'Save schedule' }).click()
    await expect(page).toHaveURL(/\/therapist\/schedule/)
  })

  await test.step('a client finds, books and pays', async () => {
    const context = await openContext()
    const visitor = await context.newPage()
    await visitor.goto(new URL('/found-therapists?session_type=online', page.url()).href)
    await visitor.getByRole('searchbox', { name: 'Name' }).fill(name)
    await expect(visitor).toHaveURL(/name=/)
    const chips = visitor.getByRole('list', { name: 'Filters in use' })
    const pronouns = visitor.getByLabel('Pronouns')
    await pronouns.selectOption('they/them')
    await visitor.getByRole('link', { name: /^Any pronouns 1 practitioner/ }).click()
    await expect(pronouns).toHaveValue('')
    await pronouns.selectOption('she/they')
    await expect(visitor).toHaveURL(/pronouns=she%2Fthey/)
    await expect(visitor.getByRole('link', { name: `See profile of ${name}`, exact: true })).toBeVisible()
    await chips.getByRole('link', { name: 'Remove filter: she/they' }).click()
    await expect(visitor).not.toHaveURL(/pronouns=/)
    await expect(chips.getByRole('link')).toHaveText([/Online/, /Name/, 'Clear all'])
    await visitor
      .getByRole('link', { name: `See profile of ${name}`, exact: true })
      .first()
      .click()
    await expect(visitor.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(visitor.getByText('770077')).toBeVisible()
    await expect(visitor.getByText('she/they')).toBeVisible()
    const offer = await offerOfPractitioner(request, (await found()) ?? 0)
    const time = offer.times[0] ?? ''
    await signIn(visitor, await register(request, 'Robin Vale'))
    await visitor.goto(new URL(bookPath(offer, time), page.url()).href)
    await visitor.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(visitor.getByRole('heading', { level: 1, name: 'Adding new card' })).toBeVisible()
    await fillCard(visitor)
    await visitor.getByRole('button', { name: 'Save card and pay £65.50' }).click()
    await expect(visitor.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeVisible()

    await page.goto('/therapist/dashboard')
    await expect(page.getByText('Robin V.').first()).toBeVisible()
    await expect(page.getByText(timeWords(time)).first()).toBeVisible()
  })
})
