import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createPageBody, scriptMark } from './page-body.ts'

const filler = Array.from(
  { length: 4000 },
  (_, at) => `<p>Sentence number ${at * 7919}, with a £ sign.</p>`,
).join('')

function digest(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
}

test('a page is sent without its marks, as it is and compressed', () => {
  const text = (mark: string) =>
    `<link rel="modulepreload"${mark} href="/a.js"/>${filler}<script type="module"${mark}>1</script>`
  const body = createPageBody(Buffer.from(text(` nonce="${scriptMark}"`)))
  expect(body.plain.toString()).toBe(text(''))
  expect(gunzipSync(body.gzip()).toString()).toBe(text(''))
  expect(body.gzip()).toBe(body.gzip())
  expect(body.gzip().length).toBeLessThan(Buffer.byteLength(filler) / 4)
})

test('icons are sent without the name of their namespace, and a text about it as it is', () => {
  const text =
    '<p> xmlns=&quot;http://www.w3.org/2000/svg&quot;</p><script>" xmlns=\\"http://www.w3.org/2000/svg\\""</script>'
  const icon = (name: string) => `<svg${name} width="20"><path d="M6 9l6 6"></path></svg>`
  const named = icon(' xmlns="http://www.w3.org/2000/svg"')
  const { plain } = createPageBody(Buffer.from(`${named}${text}${named}`))
  expect(plain.toString()).toBe(`${icon('')}${text}${icon('')}`)
})

test('the scripts that were marked are named by their content, each once, and no other', () => {
  const marked = ` async="" nonce="${scriptMark}"`
  const { scripts } = createPageBody(
    Buffer.from(
      `<script${marked}>let a = "£"\n</script><script>stranger()</script><script nonce="guess">stranger()</script>` +
        `<script type="application/ld+json">{}</script><script${marked}>b()</script><script${marked}>b()</script>`,
    ),
  )
  expect(scripts).toEqual([digest('let a = "£"\n'), digest('b()')])
})

test('a text without scripts, and none at all, are sent as they are', () => {
  for (const text of ['', 'x', filler]) {
    const body = createPageBody(Buffer.from(text))
    expect(body.scripts).toEqual([])
    expect(body.plain.toString()).toBe(text)
    expect(gunzipSync(body.gzip()).toString()).toBe(text)
  }
})
