import { looker, narrow, screens, walking, wear, wide } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { linkMailed } from './mails.ts'
import { newEmail, password, register, signIn } from './people.ts'
import { demoTherapist, registerTherapist, signInTherapist } from './therapists.ts'

test.use(walking)

test('a practitioner’s account', async ({ page, request, openContext, allowComplaint }) => {
  // Calls under way while all devices are signed out are refused.
  allowComplaint(/status of (401|422)/)
  const { look, expectAllSeen } = looker(
    page,
    screens.practitionerAccount.filter((path) => path !== '/account/notices'),
  )
  const therapist = await registerTherapist(request)
  await signInTherapist(page, therapist)
  await page.goto('/therapist/dashboard')
  const overview = page.getByRole('link', { name: `Email ${therapist.email}` })
  await page.getByRole('banner').locator('summary').click()
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await expect(overview).toBeVisible()
  await page.goBack()
  await wear(page, wide)
  await page.getByRole('button', { name: /account$/ }).click()
  await page.getByRole('menuitem', { name: 'Account', exact: true }).click()
  await expect(overview).toBeVisible()
  await wear(page, narrow)
  await look('overview')

  await page.getByRole('link', { name: /^Name/ }).click()
  await page.getByLabel('First name').fill('Marian')
  await look('name')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByText('Your name is changed.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Name Marian Okafor' })).toBeVisible()

  const email = newEmail()
  await page.goto('/therapist/account/email')
  await page.getByLabel('New email').fill(email)
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await look('email')
  await page.getByRole('button', { name: 'Send me the link' }).click()
  await expect(page.getByRole('main').getByText(`We sent an email to ${email}`)).toBeVisible()
  const { pathname, hash } = await linkMailed(email, '/therapist/confirm-email')
  await page.goto(pathname + hash)
  await expect(page.getByRole('main').getByText('Your email is changed')).toBeVisible()
  await look('new email')
  await page.goto('/therapist/verify-email')
  await look('confirm the email, incomplete')
  await page.goto('/therapist/confirm-email')
  await look('new email, incomplete')
  await page.goto('/therapist/account')
  await expect(page.getByRole('link', { name: `Email ${email}` })).toBeVisible()

  await page.goto('/therapist/account/leave')
  await expect(page.getByRole('link', { name: 'Cancel your subscription' })).toBeVisible()
  await look('leaving')
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await page.getByRole('link', { name: /^Emails and notifications/ }).click()
  const mails = page.getByRole('switch', { name: 'Email about unread messages' })
  await expect(mails).toBeChecked()
  await mails.click()
  await expect(mails).not.toBeChecked()
  await page.reload()
  await expect(mails).not.toBeChecked()
  await expect(page.getByRole('switch', { name: 'Notifications in this browser' })).not.toBeChecked()
  await look('mails and notices')
  const link = { name: 'We can send you a link' }
  for (const path of ['/therapist/account/email', '/therapist/account/password']) {
    await page.goto(path)
    await expect(page.getByRole('link', link)).toHaveAttribute('href', '/therapist/forgot-password')
  }
  await look('password')
  await page.goto('/therapist/account/devices')
  await expect(page.getByText('This device')).toBeVisible()
  await look('devices')
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL('/therapist/sign-in')

  await signInTherapist(page, await demoTherapist(request))
  await page.goto('/therapist/account/name')
  await expect(page.getByText('This is the name on your documents')).toBeVisible()
  await look('a name that stays')

  await page.goto('/unsubscribe')
  await look('no more mails, incomplete')
  await page.goto('/unsubscribe?token=worn-out')
  await page.getByRole('button', { name: 'Turn these emails off' }).click()
  await expect(page.getByText('The emails are still on')).toBeVisible()
  await look('no more mails, refused')
  const theirs = await (await openContext(walking)).newPage()
  await signIn(theirs, await register(request))
  await theirs.goto('/account/notices')
  await expect(theirs.getByRole('switch', { name: 'Email about unread messages' })).toBeChecked()
  const client = looker(theirs, ['/account/notices'])
  await client.look('mails and notices of a client')
  await theirs.goto('/account/delete')
  await expect(theirs.getByRole('link', link)).toHaveAttribute('href', '/forgot-password')
  client.expectAllSeen()
  expectAllSeen()
})
