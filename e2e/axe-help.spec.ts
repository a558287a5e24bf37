import { looker, looks, screens } from './axe.ts'
import { expect } from './fixtures.ts'
import { answerNoDanger, availableTherapists, declineByApi, issueId } from './help.ts'
import { test } from './own-server.ts'
import { callAs, register, saveCard, signIn } from './people.ts'
import { signInTherapist } from './therapists.ts'

test.use({ seed: 'reference' })

test('help right now', async ({ server, request, openContext }) => {
  test.setTimeout(400_000)
  const therapists = await availableTherapists(server, request, [
    ['Nora', 'Ellis'],
    ['Omar', 'Reid'],
  ])
  for (const [index, { name, ...look }] of looks.entries()) {
    // Whoever has accepted is not free for the next look.
    const asked = therapists[index]
    if (!asked) throw new Error('Nobody is there to be asked.')
    for (const each of therapists)
      await callAs(request, each, 'PUT', '/therapist/available-now', { available: each === asked })
    const open = async () =>
      (await openContext({ ...look, baseURL: server.url, reducedMotion: 'reduce' })).newPage()
    const page = await open()
    const client = looker(page, screens.help)
    const see = (what: string) => client.look(`${what}, ${name}`)
    const account = await register(request, 'Robin Vale')
    const heading = (text: string) =>
      expect(page.getByRole('heading', { level: 1, name: text })).toBeVisible()

    await page.goto('/get-help')
    await see('safety')
    await page.getByRole('button', { name: 'Yes', exact: true }).click()
    await heading('Please call now')
    await see('danger')
    await page.getByRole('button', { name: 'Ask me the question again' }).click()
    await answerNoDanger(page)
    await heading('Talk to somebody in minutes')
    await page.getByRole('button', { name: 'About the search' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await see('description with a tooltip')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Next step' }).click()
    await page.getByRole('button', { name: /^Show all/ }).click()
    await see('issues')
    await page.goto(`/get-help?issueId=${issueId}`)
    await heading('Anxiety')
    await see('issue')

    await signIn(page, account)
    await page.goto(`/get-help/search-therapist?issueId=${issueId}`)
    await page.getByRole('button', { name: 'Pay £25' }).click()
    await heading('Adding new card')
    await expect(page.getByLabel('Card number')).toBeVisible()
    await see('adding a card')
    await saveCard(request, account)
    await page.goto(`/get-help/search-therapist?issueId=${issueId}`)
    await expect(page.getByText('Held for you for')).toBeVisible()
    await expect(page.getByRole('radio')).toBeChecked()
    await see('your therapist, held')
    await page.goto('/frequently-asked-questions')
    await expect(page.getByRole('complementary', { name: 'Your search for help' })).toBeVisible()
    await see('the bar on another page')

    const therapist = await open()
    await signInTherapist(therapist, asked)
    const practice = looker(therapist, [])
    await page.goto(`/get-help/search-therapist?issueId=${issueId}`)
    await page.getByRole('button', { name: 'Pay £25' }).click()
    await heading('We are asking a therapist')
    await see('asking')
    await page.getByRole('button', { name: 'Stop the search' }).click()
    await see('stopping')
    await page.getByRole('button', { name: 'Keep waiting' }).click()

    await therapist.goto('/therapist/schedule')
    await expect(therapist.getByRole('alertdialog')).toBeVisible()
    await practice.look(`asked, ${name}`)
    await therapist.keyboard.press('Escape')
    await expect(therapist.getByRole('button', { name: 'Answer' })).toBeVisible()
    await practice.look(`asked and put aside, ${name}`)
    await declineByApi(request, asked)
    await expect(therapist.getByRole('heading', { name: 'This request is over' })).toBeVisible({
      timeout: 20_000,
    })
    await practice.look(`the request is over, ${name}`)

    await heading('Sorry, right now all our Therapists are busy')
    await see('nobody could')
    await page.goto('/get-help/search-therapist?issueId=2')
    await heading('Sorry, right now all our Therapists are busy')
    await see('busy before paying')

    await page.goto(`/get-help/search-therapist?issueId=${issueId}`)
    await page.getByRole('button', { name: 'Pay £25' }).click()
    await heading('We are asking a therapist')
    await therapist.getByRole('button', { name: 'Close', exact: true }).last().click()
    await therapist.getByRole('button', { name: 'Accept and open the chat' }).click({ timeout: 20_000 })
    await heading('Session is booked, thank you!')
    await page.getByRole('button', { name: 'Stay here' }).click()
    await see('booked')
    client.expectAllSeen()
    await therapist.goto('/therapist/dashboard')
    await expect(therapist.getByText('Earned today')).toBeVisible()
    await practice.look(`dashboard with a session of today, ${name}`)
    for (const each of [page, therapist]) await each.context().close()
  }
})
