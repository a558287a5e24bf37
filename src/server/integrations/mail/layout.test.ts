import { expect, test } from 'vitest'
import { writeMail } from './layout.ts'

const full = writeMail({
  to: 'alex@example.test',
  subject: 'Your session <is> booked',
  preheader: 'Monday at 10',
  greeting: 'Hello "Zoë" & co,',
  paragraphs: ["It's done.", '<script>alert(1)</script>'],
  details: [
    { label: 'Date', value: 'Monday 8 June 2026' },
    { label: 'Price', value: '£60.00' },
    { label: 'Free', value: ['at 10:00', '<at> 11:00'] },
  ],
  link: { text: 'See the session', url: 'https://hearth.test/my-sessions?a=1&b="2"' },
  links: [{ text: 'Find another time', url: 'https://hearth.test/found-therapists' }],
  closing: ['Until then.'],
  reason: 'You get this mail because you booked.',
})

test('a mail says the same in text and in HTML', () => {
  expect(full.text).toBe(
    [
      'Hello "Zoë" & co,',
      "It's done.",
      '<script>alert(1)</script>',
      'Date: Monday 8 June 2026\nPrice: £60.00\nFree: at 10:00\n<at> 11:00',
      'See the session: https://hearth.test/my-sessions?a=1&b="2"',
      'Find another time: https://hearth.test/found-therapists',
      'Until then.',
      'Hearth',
      'You get this mail because you booked.',
    ].join('\n\n'),
  )
  const words = full.html
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/<a [^>]*href="([^"]*)"[^>]*>/g, '\n$1\n')
    .replace(/<[^>]*>/g, '\n')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
  const lines = full.text.split(/\n+/).flatMap((line) => line.split(/: (?=\S)/))
  for (const line of lines.filter((each) => each !== 'Hearth')) expect(words).toContain(line)
})

test('what people wrote is text in the HTML, also in an address', () => {
  expect(full.html).not.toContain('<script>')
  expect(full.html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
  expect(full.html).toContain('<title>Your session &#60;is&#62; booked</title>')
  expect(full.html).toContain('href="https://hearth.test/my-sessions?a=1&#38;b=&#34;2&#34;"')
})

test('several values of one fact stand in lines of their own', () => {
  expect(full.html).toMatch(/<div [^>]*>at 10:00<\/div><div [^>]*>&#60;at&#62; 11:00<\/div><\/td>/)
})

test('a mail fetches nothing from elsewhere', () => {
  expect(full.html).not.toMatch(/<(img|link|script|iframe|object|video)\b|url\(|@import|\bsrc=/)
})

test('a mail of a greeting alone has neither rows nor a button', () => {
  const bare = writeMail({ to: 'alex@example.test', subject: 'Hello', greeting: 'Hello,', paragraphs: [] })
  expect(bare.text).toBe('Hello,\n\nHearth')
  expect(bare.html).not.toMatch(/<table|<a /)
})
