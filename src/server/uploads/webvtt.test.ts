import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanWebVtt } from './webvtt.ts'

const read = (text: string) => cleanWebVtt(Buffer.from(text))
const faultOf = (text: string | Buffer) => {
  const answer = cleanWebVtt(Buffer.from(text))
  return 'fault' in answer ? answer.fault : undefined
}

describe('a WebVTT file', () => {
  test('keeps times and text, and loses names, settings, tags, styles and comments', () => {
    const file = [
      '\uFEFFWEBVTT - a title',
      'Kind: captions',
      '',
      'STYLE',
      '::cue { background: url(https://example.test/seen.png) }',
      '',
      'NOTE private: call her on Monday',
      '',
      'first',
      '00:01.000 --> 00:02.500 align:start position:0%',
      '<v Priya><i>Hello</i>, I am <00:01.500>Priya &amp; I listen.',
      'Two lines.',
      '',
      '01:00:00.000 --> 01:00:01.000',
      '5 < 6 and 7 --> 8',
      '',
      '01:00:02.000 --> 01:00:03.000',
      '<b></b>',
    ].join('\r\n')
    expect(read(file)).toEqual({
      text: [
        'WEBVTT',
        '',
        '00:00:01.000 --> 00:00:02.500',
        'Hello, I am Priya &amp; I listen.',
        'Two lines.',
        '',
        '01:00:00.000 --> 01:00:01.000',
        '5  8',
        '',
      ].join('\n'),
    })
  })

  test.each([
    ['an SRT file', '1\n00:00:01,000 --> 00:00:02,000\nHello', /starts with the line WEBVTT/],
    ['a page', '<!doctype html><script>alert(1)</script>', /starts with the line WEBVTT/],
    ['an empty file', '', /starts with the line WEBVTT/],
    ['a header alone', 'WEBVTT\n\n', /no captions/],
    ['comments alone', 'WEBVTT\n\nNOTE nothing\n', /no captions/],
    ['text without times', 'WEBVTT\n\nHello\nthere\n', /^Line 4: the times/],
    ['a time that is none', 'WEBVTT\n\n00:61.000 --> 00:62.000\nHi', /^Line 3: the times/],
    ['an end before the start', 'WEBVTT\n\n00:02.000 --> 00:01.000\nHi', /ends before it starts/],
    [
      'captions out of order',
      'WEBVTT\n\n00:05.000 --> 00:06.000\nB\n\n00:01.000 --> 00:02.000\nA',
      /^Line 6/,
    ],
    ['a caption of a page', `WEBVTT\n\n00:01.000 --> 00:02.000\n${'a'.repeat(1001)}`, /longer than 1000/],
  ])('is refused where it is %s', (_, text, sentence) => {
    expect(faultOf(text)).toMatch(sentence)
  })

  test('is refused where it is not text', () => {
    expect(faultOf(Buffer.from([0x57, 0x45, 0xff, 0xfe]))).toMatch(/not plain text/)
    expect(faultOf('WEBVTT\n\n00:01.000 --> 00:02.000\n\0')).toMatch(/not plain text/)
    expect(faultOf(`WEBVTT\n\n${'00:01.000 --> 00:02.000\nA\n\n'.repeat(5001)}`)).toMatch(/more than 5000/)
  })

  test('that is written anew reads the same, carries no tag and is never taken for a cue', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 60 })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const cleaned = read(`WEBVTT\n\n00:01.000 --> 00:02.000\nAlways\n${lines.join('\n')}`)
        if ('fault' in cleaned) return
        const [, ...body] = cleaned.text.split('\n')
        expect(body.filter((each) => /[<>]/.test(each)).every((each) => / --> /.test(each))).toBe(true)
        expect(read(cleaned.text)).toEqual(cleaned)
      }),
    )
  })

  test.each([
    ['open tags', '<'.repeat(1_000_000)],
    ['entities', '&amp'.repeat(250_000)],
    ['arrows', '-->'.repeat(300_000)],
    ['blank lines', '\n'.repeat(1_000_000)],
    ['digits', `${'0'.repeat(1_000_000)} --> 1`],
    ['spaces', ' '.repeat(1_000_000)],
  ])('of a megabyte of %s is read in time', (_, filling) => {
    const began = performance.now()
    read(`WEBVTT\n\n00:01.000 --> 00:02.000\n${filling}`)
    read(`WEBVTT\n\n${filling}`)
    expect(performance.now() - began).toBeLessThan(2000)
  })
})
