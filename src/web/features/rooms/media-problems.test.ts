import { expect, test } from 'vitest'
import { helpFor, shownBy } from './media-problems.ts'

test('a refused device is allowed by the sign beside the address, if there is one', () => {
  expect(helpFor('camera', 'refused', 'browser').text).toBe(
    'Press the sign beside the address, allow the camera there, and try again. You can also go on with your voice alone.',
  )
  expect(helpFor('microphone', 'refused', 'browser').text).toMatch(
    /^Press the sign beside the address, allow the microphone there, and try again\. Without it /,
  )
})

test('an app from the home screen leads to the settings of the device, as it shows no address', () => {
  expect(helpFor('camera', 'refused', 'home screen').text).toBe(
    'Allow the camera for Hearth in the settings of your device, then close Hearth and open it again. You can also go on with your voice alone.',
  )
  expect(helpFor('microphone', 'refused', 'home screen').text).toMatch(
    /^Allow the microphone for Hearth in the settings of your device, .*\. Without it the other person cannot hear you\.$/,
  )
})

test('another app that shows the page leads to a browser, as many allow no device', () => {
  expect(helpFor('camera', 'refused', 'other app').text).toBe(
    'This page is open inside another app, which may not let it use the camera. Open it in Safari or Chrome, most often by the app’s menu. You can also go on with your voice alone.',
  )
  expect(helpFor('microphone', 'refused', 'other app').text).toMatch(
    /use the microphone\. Open it in Safari or Chrome, .*\. Without it the other person cannot hear you\.$/,
  )
})

test('a browser without devices for websites leads to one that has them', () => {
  for (const device of ['camera', 'microphone'] as const) {
    expect(helpFor(device, 'unsupported', 'browser').text).toMatch(
      /^Open this page in a recent Safari or Chrome\b/,
    )
  }
})

test('the help for any other problem is the same wherever the page is shown', () => {
  for (const problem of ['busy', 'absent', 'gone', 'unsupported', 'failed'] as const) {
    for (const place of ['home screen', 'other app'] as const) {
      expect(helpFor('camera', problem, place)).toEqual(helpFor('camera', problem, 'browser'))
    }
  }
})

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const iPad = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const webView =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36'

test.each([
  ['Instagram on an iPhone', `${iPhone} Mobile/15E148 Instagram 339.0.0.12.95 (iPhone15,3; iOS 17_5)`],
  ['Facebook on an iPhone', `${iPhone} Mobile/15E148 Safari/604.1 [FBAN/FBIOS;FBAV/453.0.0.40.107]`],
  [
    'Snapchat on an iPhone',
    `${iPhone} Version/17.5 Mobile/15E148 Snapchat/12.82 (like Safari/8618.2.12, panda)`,
  ],
  ['a mail app on an iPhone', `${iPhone} Mobile/15E148`],
  ['a mail app on an iPad', iPad],
  ['Facebook on Android', `${webView} [FB_IAB/FB4A;FBAV/453.0.0.40.107;]`],
  ['an app on Android', webView],
])('%s shows the page as another app', (_name, userAgent) => {
  expect(shownBy(userAgent, false)).toBe('other app')
})

test.each([
  ['Safari on an iPhone', `${iPhone} Version/17.5 Mobile/15E148 Safari/604.1`],
  ['Chrome on an iPhone', `${iPhone} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`],
  ['Safari on an iPad', `${iPad} Version/17.5 Safari/605.1.15`],
  [
    'Chrome on Android',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
  ],
  ['Firefox on a computer', 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'],
])('%s shows the page as a browser', (_name, userAgent) => {
  expect(shownBy(userAgent, false)).toBe('browser')
})

test('an app from the home screen of an iPhone is no other app, though it names no Safari', () => {
  expect(shownBy(`${iPhone} Mobile/15E148`, true)).toBe('home screen')
})
