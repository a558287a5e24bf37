import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createPageBody, placeholders } from './page-body.ts'

const { nonce, requestId } = placeholders
const filler = Array.from(
  { length: 4000 },
  (_, at) => `<p>Sentence number ${at * 7919}, with a £ sign.</p>`,
).join('')

test('a page is put together with its own values, as it is and compressed', () => {
  const text = `<meta nonce="${nonce}"><meta content="${requestId}">${filler}<script nonce="${nonce}">1</script>${nonce}`
  const body = createPageBody(text)
  for (const values of [
    { nonce: 'a-first-nonce', requestId: 'one' },
    { nonce: 'another', requestId: 'and another request' },
  ]) {
    const wanted = text.replaceAll(nonce, values.nonce).replaceAll(requestId, values.requestId)
    expect(body.plain(values).toString()).toBe(wanted)
    expect(gunzipSync(body.gzip(values)).toString()).toBe(wanted)
  }
  expect(body.gzip({ nonce: '', requestId: '' }).length).toBeLessThan(Buffer.byteLength(text) / 4)
})

test('a text without values, and none at all, are sent as they are', () => {
  for (const text of ['', 'x', filler]) {
    const body = createPageBody(text)
    expect(body.plain({ nonce: 'n', requestId: 'r' }).toString()).toBe(text)
    expect(gunzipSync(body.gzip({ nonce: 'n', requestId: 'r' })).toString()).toBe(text)
  }
})

test('what the browser fetches beforehand needs no nonce, a script does', () => {
  const body = createPageBody(
    `<link rel="modulepreload" href="/a.js" nonce="${nonce}"/><link rel="modulepreload" nonce="${nonce}" href="/b.js"/><script nonce="${nonce}"></script>`,
  )
  expect(body.plain({ nonce: 'n', requestId: 'r' }).toString()).toBe(
    '<link rel="modulepreload" href="/a.js"/><link rel="modulepreload" href="/b.js"/><script nonce="n"></script>',
  )
})
