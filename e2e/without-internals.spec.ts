import { expectAlive } from './alive.ts'
import { expect } from './fixtures.ts'
import { test as ownServer } from './own-server.ts'

const test = ownServer.extend({
  seed: 'reference',
  environment: async ({ seed: _seed }, use) => use(async () => ({ WITHOUT_INTERNALS: 'page-scripts' })),
})

for (const path of ['/', '/found-therapists?session_type=online']) {
  test(`${path} loads the framework by its own scripts where page scripts are switched off`, async ({
    page,
  }) => {
    const errors: Error[] = []
    page.on('pageerror', (error) => errors.push(error))
    const scripts: string[] = []
    page.on('response', (response) => scripts.push(new URL(response.url()).pathname))
    await page.goto(path)
    await expectAlive(page)
    expect(scripts.filter((name) => /\/assets\/framework-/.test(name))).not.toEqual([])
    expect(scripts.filter((name) => /\/assets\/late-/.test(name))).toEqual([])
    await page.evaluate('window.isSameDocument = true')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy Policy')
    expect(await page.evaluate(`'isSameDocument' in window`)).toBe(true)
    expect(errors).toEqual([])
  })
}
