import { expectAlive } from './alive.ts'
import { dayLabel, ownPractitioner, pounds, profilePath, timeWords, twoDays, upcoming } from './booking.ts'
import { expect, inMotion, test } from './fixtures.ts'
import { chooseTimeByKeyboard, keyboardOf } from './keyboard.ts'
import { password, register, signIn } from './people.ts'
import { demoTherapist } from './therapists.ts'

test.use({ ...inMotion, viewport: { width: 320, height: 640 } })

test('the whole booking goes by keyboard alone at 320px, from the home page to the refund', async ({
  page,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const [first, second] = twoDays(offer)
  const account = await register(request)
  const price = pounds(offer.service.fee)
  const main = page.getByRole('main')
  const keys = keyboardOf(page)

  await test.step('menu, list, filter', async () => {
    await page.goto('/')
    await keys.press(page.getByRole('banner').locator('summary'), 'Enter')
    await expectAlive(page)
    await keys.press(page.getByRole('link', { name: 'Find a Therapist or Psychiatrist' }), 'Enter')
    await expect(
      page.getByRole('heading', { level: 1, name: 'List of Therapist or Psychiatrist' }),
    ).toBeFocused()
    await keys.press(page.getByRole('button', { name: 'Filter results' }), 'Enter')
    const dialog = page.getByRole('dialog', { name: 'Filter results' })
    await keys.type(dialog.getByRole('searchbox', { name: 'Name' }), offer.name)
    await expect(page).toHaveURL(/[?&]name=/)
    await keys.press(dialog.getByRole('button', { name: /^Show \d+ practitioner/ }), 'Enter')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: 'Filter results' })).toBeFocused()
  })

  await test.step('profile and time', async () => {
    const address = `practitionerId=${offer.id}`
    await keys.press(
      page.locator(`a[href^="/recommended-therapist?"]:is([href$="${address}"], [href*="${address}&"])`),
      'Enter',
    )
    await expect(page.getByRole('heading', { level: 1, name: offer.name })).toBeFocused()
    const area = page.getByRole('region', { name: 'Book a session' })
    await chooseTimeByKeyboard(keys, area, first)
    await keys.press(area.getByRole('link', { name: 'Book session' }), 'Enter')
  })

  await test.step('log in, and back to the review', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Login as patient' })).toBeFocused()
    await keys.type(page.getByLabel('Email'), account.email)
    await keys.type(page.getByLabel('Password', { exact: true }), password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Check and pay' })).toBeFocused()
    await keys.press(main.getByRole('button', { name: 'Continue to payment' }), 'Space')
  })

  await test.step('card and payment', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Adding new card' })).toBeFocused()
    // In the order of the screen: how long the time is held, then the card.
    await page.keyboard.press('Tab')
    await expect(main.getByRole('button', { name: 'Hold it 10 minutes longer' })).toBeFocused()
    await keys.type(main.getByLabel('Card number'), '4242424242424242')
    await keys.type(main.getByLabel('Expiry date'), `12${String(new Date().getFullYear() + 3).slice(2)}`)
    await keys.type(main.getByLabel('Security code'), '123')
    await keys.press(main.getByRole('radio', { name: /^Remember the card/ }), 'Space')
    await keys.press(main.getByRole('button', { name: `Save card and pay ${price}` }), 'Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Session is booked' })).toBeFocused()
    await keys.press(main.getByRole('link', { name: 'My Sessions' }), 'Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'My Sessions' })).toBeFocused()
  })

  const session = main.getByRole('listitem', { name: offer.name })
  await test.step('move it', async () => {
    await expect(session).toContainText(timeWords(first))
    await keys.press(session.getByRole('button', { name: 'Move' }), 'Enter')
    const dialog = page.getByRole('dialog', { name: 'Book an appointment' })
    await chooseTimeByKeyboard(keys, dialog, second)
    await keys.press(dialog.getByRole('button', { name: 'Book session' }), 'Enter')
    await expect(dialog.getByRole('heading', { name: 'Your booking is changed!' })).toBeFocused()
    await keys.press(dialog.getByRole('button', { name: 'Done' }), 'Enter')
    await expect(dialog).toBeHidden()
    await expect(session.getByRole('button', { name: 'Move' })).toBeFocused()
    await expect(session).toContainText(dayLabel(second))
  })

  await test.step('cancel it', async () => {
    // The dialog's footer begins within the field for a reason, which has to be scrolled up.
    await page.setViewportSize({ width: 320, height: 595 })
    await keys.pressBackwards(session.getByRole('button', { name: 'Cancel session' }), 'Space')
    const question = page.getByRole('alertdialog', { name: 'Cancel this session?' })
    await expect(question).toContainText(price)
    await expect(question).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await expect(session.getByRole('button', { name: 'Cancel session' })).toBeFocused()
    await page.keyboard.press('Enter')
    await keys.press(question.getByRole('button', { name: 'Cancel session' }), 'Enter')
    await expect(page.getByText("Sorry, but you don't have any sessions to show.")).toBeVisible()
    await keys.expectKept()
  })
  expect(await upcoming(request, account)).toEqual([])
})

test('times of one’s own for a waitlist are added and removed by keyboard, and the focus goes along', async ({
  page,
  request,
}) => {
  await signIn(page, await register(request))
  const { id } = await demoTherapist(request)
  await page.goto(`/join-waitlist?practitionerId=${id}`)
  await expectAlive(page)
  const main = page.getByRole('main')
  const add = main.getByRole('button', { name: /^Add (days and times of your own|more)$/ })
  for (const name of ['', ' 2', ' 3', ' 4', ' 5', ' 6']) {
    await add.press('Enter')
    const days = main.getByRole('group', { name: `Your own times${name}: days` })
    await expect(days.getByRole('checkbox', { name: 'Mon' })).toBeFocused()
  }
  await expect(add).toHaveCount(0)
  await main.getByRole('button', { name: 'Remove your own times 2' }).press('Enter')
  await expect(add).toBeFocused()
})

test('in a reader’s own colours the focus shows in menus and on the chosen day, and times can be enlarged', async ({
  page,
  request,
}, info) => {
  const offer = await ownPractitioner(request, info)
  await signIn(page, await register(request))
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(profilePath(offer))
  const area = page.getByRole('region', { name: 'Book a session' })
  const chosen = area.locator('label[data-chosen]')
  await expect(chosen).toHaveCSS('outline-width', '2px')
  await page.keyboard.press('Tab')
  await chosen.getByRole('radio').focus()
  await page.keyboard.press('ArrowRight')
  await expect(chosen.getByRole('radio')).toBeFocused()
  await expect(chosen).toHaveCSS('outline-width', '3px')
  for (const touched of await area.locator('.touch-pan-y').all()) {
    await expect(touched).toHaveCSS('touch-action', 'pan-y pinch-zoom')
  }

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/my-sessions')
  await page.getByRole('button', { name: /account$/ }).press('Enter')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem').and(page.locator(':focus'))).toHaveCSS('outline-style', 'solid')
})
