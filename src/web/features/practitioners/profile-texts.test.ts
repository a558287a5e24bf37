import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paragraphsOf, previewOf } from './about-text.ts'
import { videoIdOf } from '#contract/practitioners/video-link.ts'

test('a preview is the beginning of the text, 200 characters at most, never half a word', () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => !/\s/.test(text))
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 120 }), (words) => {
      const text = words.join(' ')
      const preview = previewOf(text)
      if (text.length <= 200) {
        expect(preview).toBeUndefined()
        return
      }
      const shown = preview?.slice(0, -1) ?? ''
      expect(preview?.endsWith('…')).toBe(true)
      expect(shown.length).toBeLessThanOrEqual(200)
      expect(text.startsWith(shown)).toBe(true)
      const next = text.slice(shown.length).replace(/^[,;:–-]/, '')
      expect(next.startsWith(' ')).toBe(true)
    }),
  )
})

test('a text without any space is cut all the same', () => {
  expect(previewOf('a'.repeat(300))).toBe(`${'a'.repeat(200)}…`)
})

test('empty lines separate paragraphs', () => {
  expect(paragraphsOf('One.\n\n  Two,\nstill two. \n \n')).toEqual(['One.', 'Two,\nstill two.'])
})

test.each([
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
  ['https://youtube.com/watch?t=10&v=dQw4w9WgXcQ', 'dQw4w9WgXcQ'],
  ['https://youtu.be/dQw4w9WgXcQ', undefined],
  ['https://www.youtube.com/embed/dQw4w9WgXcQ', undefined],
  ['https://www.youtube.com.example.org/watch?v=dQw4w9WgXcQ', undefined],
  ['http://www.youtube.com/watch?v=dQw4w9WgXcQ', undefined],
  ['https://www.youtube.com/watch?v="><script>', undefined],
  ['javascript:alert(1)//watch?v=dQw4w9WgXcQ', undefined],
  ['watch?v=dQw4w9WgXcQ', undefined],
  ['https://vimeo.com/76979871', undefined],
  [null, undefined],
])('the video of %s is %s', (link, id) => {
  expect(videoIdOf(link)).toBe(id)
})
