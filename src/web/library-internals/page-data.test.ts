import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { withDataScript, withoutRepeatedPreload } from './page-data.ts'

const document = '<!DOCTYPE html><html><body><p>A page</p></body></html>'
/** What could end a script, or a line of one. */
const data = '[{"name":"</script><!--<script> & \\" \u2028\u2029 Zoë 👩🏽‍⚕️"}]\n'

test('a document hands its data to the framework in one script that no text of them ends', () => {
  const whole = withDataScript(document, data, 'the mark')
  const [, before, script = '', after] =
    /^(.*)<script nonce="the mark">([^<]*)<\/script>(.*)$/s.exec(whole) ?? []
  expect(`${before}${after}`).toBe(document)
  expect(after).toBe('</body></html>')
  const handed: string[] = []
  const streamController = {
    enqueue: (text: string) => handed.push(text),
    close: () => handed.push('closed'),
  }
  runInNewContext(script, { window: { __reactRouterContext: { streamController } } })
  expect(handed).toEqual([data, 'closed'])
})

test('a document without data stays as it is', () => {
  expect(withDataScript(document, undefined, 'the mark')).toBe(document)
})

test('a document asks for its first module once, and for each other one as before', () => {
  const link = (module: string) => `<link rel="modulepreload" nonce="the mark" href="/${module}.js"/>`
  const inHead = (links: string) => document.replace('<body>', `<head>${links}</head><body>`)
  const page = inHead(link('late') + link('late') + link('late') + link('other') + link('late'))
  expect(withoutRepeatedPreload(page)).toBe(inHead(link('late') + link('other') + link('late')))
  for (const each of [document, inHead(link('late')), '<link rel="modulepreload"']) {
    expect(withoutRepeatedPreload(each)).toBe(each)
  }
})
