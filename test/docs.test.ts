import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const guides = [
  'README.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  'docs/operations.md',
  'src/server/db/migrations/README.md',
]
const pages = [...guides, ...globSync('docs/**/*.md', { cwd: root })]

describe('the docs', () => {
  test('link to files that there are', () => {
    const links = pages.flatMap((page) =>
      // Code blocks hold examples.
      [
        ...read(page)
          .replaceAll(/```[\s\S]*?```/g, '')
          .matchAll(/\]\((?!https?:|#)([^)#\s]+)/g),
      ].map(([, path = '']) => ({ page, path })),
    )
    expect(links.length).toBeGreaterThan(40)
    expect(links.filter(({ page, path }) => !existsSync(join(root, dirname(page), path)))).toEqual([])
  })

  test('name files and npm scripts that there are, where they are guides', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    let checked = 0
    for (const guide of guides) {
      const text = read(guide)
      for (const [, path = ''] of text.matchAll(
        /[\s`]((?:src|test|e2e|scripts|docs)\/[\w./-]+\w)(?=[`\s,])/g,
      )) {
        expect([guide, path, existsSync(join(root, path))]).toEqual([guide, path, true])
        checked += 1
      }
      for (const [, name = ''] of text.matchAll(/npm run ([\w:-]+)/g)) {
        expect([guide, name, name in scripts]).toEqual([guide, name, true])
        checked += 1
      }
    }
    expect(checked).toBeGreaterThan(40)
  })

  test('of a contributor name the fields and functions that they explain', () => {
    const guide = read('CONTRIBUTING.md')
    const sources = [
      'src/contract/endpoint.ts',
      'src/contract/errors.ts',
      'src/server/errors.ts',
      'src/server/http/policies.ts',
      'src/server/db/transaction.ts',
      'test/policies.test.ts',
      'test/bad-input.test.ts',
      'e2e/axe.ts',
      'src/web/lib/api-query.ts',
    ]
    const code = sources.map(read).join('\n')
    for (const name of [
      'access',
      'owner',
      'whileSuspended',
      'owned',
      'ownership',
      'samples',
      'sensible',
      'screens',
      'errorCodes',
      'statusOf',
      'inTransaction',
      'apiQuery',
    ]) {
      expect([name, guide.includes(name), new RegExp(`\\b${name}\\b`).test(code)]).toEqual([name, true, true])
    }
  })
})
