import { expect, test } from 'vitest'
import { helpFor } from './media-problems.ts'

test('a refused device is allowed by the sign beside the address, if there is one', () => {
  expect(helpFor('camera', 'refused', false).text).toBe(
    'Press the sign beside the address, allow the camera there, and try again. You can also go on with your voice alone.',
  )
  expect(helpFor('microphone', 'refused', false).text).toMatch(
    /^Press the sign beside the address, allow the microphone there, and try again\. Without it /,
  )
})

test('an app from the home screen leads to the settings of the device, as it shows no address', () => {
  expect(helpFor('camera', 'refused', true).text).toBe(
    'Allow the camera for Hearth in the settings of your device, then close Hearth and open it again. You can also go on with your voice alone.',
  )
  expect(helpFor('microphone', 'refused', true).text).toMatch(
    /^Allow the microphone for Hearth in the settings of your device, .*\. Without it the other person cannot hear you\.$/,
  )
})

test('the help for any other problem is the same in an app from the home screen', () => {
  for (const problem of ['busy', 'absent', 'gone', 'unsupported', 'failed'] as const) {
    expect(helpFor('camera', problem, true)).toEqual(helpFor('camera', problem, false))
  }
})
