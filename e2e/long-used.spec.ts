import { bookByApi, ownPractitioner } from './booking.ts'
import { expect, inMotion, test } from './fixtures.ts'
import { register, signIn } from './people.ts'

test.use(inMotion)

test('a tab that is used for long keeps nothing of the pages that were left', async ({
  page,
  request,
  context,
}, info) => {
  const offer = await ownPractitioner(request, info)
  const client = await register(request)
  await bookByApi(request, client, offer, offer.times[0] ?? '')
  await signIn(page, client)
  await page.goto('/my-sessions')
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable')
  const nodes = async () => {
    await devtools.send('HeapProfiler.collectGarbage')
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'Nodes')?.value ?? 0
  }
  const open = async (name: string) => {
    await page.getByRole('button', { name: /account$/ }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  }
  const goRound = async () => {
    await page.getByRole('button', { name: /^Cancel session with / }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    // The button has just been given the focus back, and is in a transition as its page is left.
    await open('Account')
    await open('My Sessions')
    await page.getByRole('button', { name: /^Cancel session with / }).hover()
  }
  await goRound()
  await goRound()
  const first = await nodes()
  expect(first).toBeGreaterThan(100)
  for (let round = 0; round < 5; round++) await goRound()
  await expect.poll(nodes).toBeLessThan(first + 100)
})
