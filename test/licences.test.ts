import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bundledLibraries, isAllowed, licencesDocument } from '../scripts/licences.ts'

const root = new URL('../', import.meta.url)

test('docs/licences.md lists every library of the product', () => {
  expect(readFileSync(new URL('docs/licences.md', root), 'utf8'), 'run npm run licences').toBe(
    licencesDocument(),
  )
  const names = bundledLibraries().map(({ name }) => name)
  // What the server runs, what browsers are sent, and the fonts.
  expect(names).toEqual(
    expect.arrayContaining(['fastify', 'react', 'react-aria-components', '@fontsource-variable/fraunces']),
  )
  expect(names).not.toContain('vitest')
})

test('every library may be used under a licence that is allowed', () => {
  expect(bundledLibraries().filter(({ licence }) => !isAllowed(licence))).toEqual([])
  expect(['GPL-3.0', 'unknown', 'MIT, GPL-3.0', 'MIT AND AGPL-3.0'].filter(isAllowed)).toEqual([])
  expect(isAllowed('(MIT OR GPL-3.0)')).toBe(true)
})

test('the bill of materials names every library with its version', () => {
  const sbom: { bomFormat: string; components: { purl: string }[] } = JSON.parse(
    execFileSync('npm', ['run', '--silent', 'sbom'], {
      cwd: fileURLToPath(root),
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
    }).toString(),
  )
  expect(sbom.bomFormat).toBe('CycloneDX')
  const listed = new Set(sbom.components.map(({ purl }) => decodeURIComponent(purl)))
  const required = Object.keys(
    (JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { dependencies: object })
      .dependencies,
  )
  const libraries = bundledLibraries().filter(({ name }) => required.includes(name))
  expect(libraries.length).toBe(required.length)
  const missing = libraries.filter(
    ({ name, versions }) => !versions.some((each) => listed.has(`pkg:npm/${name}@${each}`)),
  )
  expect(missing).toEqual([])
})

type Entry = { integrity?: string }

test('every package of the lockfile has an integrity hash, those for other platforms too', () => {
  const lock: { packages: Record<string, Entry> } = JSON.parse(
    readFileSync(new URL('package-lock.json', root), 'utf8'),
  )
  const { '': ours, ...packages } = lock.packages
  expect(Object.keys(packages).length).toBeGreaterThan(500)
  for (const [path, { integrity }] of Object.entries(packages)) {
    expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha512-/)])
  }
  expect(ours).toBeDefined()
})
