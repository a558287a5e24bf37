/** Why a microphone or camera cannot be used. */
export type MediaProblem = 'refused' | 'busy' | 'absent' | 'gone' | 'unsupported' | 'failed'

/** `kept`: another camera was chosen and could not be used, so the former one stays in use. */
export type CameraProblem = MediaProblem | 'kept'

/** The problem that an error of `getUserMedia` stands for. */
export function problemOf(error: unknown): MediaProblem {
  switch (error instanceof Error ? error.name : undefined) {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'refused'
    case 'NotReadableError':
    case 'AbortError':
      return 'busy'
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'absent'
    default:
      return 'failed'
  }
}

type Help = { title: string; text: string }

const cameraHelp: Record<CameraProblem, Help> = {
  refused: {
    title: 'Your browser does not allow the camera',
    text: 'You can also go on with your voice alone.',
  },
  busy: {
    title: 'Another app is using your camera',
    text: 'Close other video calls and try again. You can also go on with your voice alone.',
  },
  absent: { title: 'We found no camera', text: 'Plug one in and try again, or go on with your voice alone.' },
  gone: {
    title: 'Your camera was unplugged',
    text: 'Plug it in or choose another. Your voice goes on meanwhile.',
  },
  unsupported: {
    title: 'This browser has no camera for websites',
    text: 'Try a newer browser, or go on with your voice alone.',
  },
  failed: { title: 'Your camera did not start', text: 'Try again, or go on with your voice alone.' },
  kept: {
    title: 'The other camera did not start',
    text: 'Another app may be using it. Your picture goes on with the camera you had.',
  },
}

const microphoneHelp: Record<MediaProblem, Help> = {
  refused: {
    title: 'Your browser does not allow the microphone',
    text: 'Without it the other person cannot hear you.',
  },
  busy: { title: 'Another app is using your microphone', text: 'Close other calls and try again.' },
  absent: {
    title: 'We found no microphone',
    text: 'Plug one in and try again. You can still listen, and write in the chat.',
  },
  gone: { title: 'Your microphone was unplugged', text: 'Plug it in or choose another.' },
  unsupported: {
    title: 'This browser has no microphone for websites',
    text: 'Try a newer browser. You can still write in the chat.',
  },
  failed: {
    title: 'Your microphone did not start',
    text: 'Try again. You can still listen, and write in the chat.',
  },
}

/**
 * What happened, and how to go on.
 * @param isStandalone whether the page is an app from the home screen, which shows no address
 */
export function helpFor(
  device: 'microphone' | 'camera',
  problem: CameraProblem,
  isStandalone: boolean,
): Help {
  const { title, text } =
    device === 'camera' || problem === 'kept' ? cameraHelp[problem] : microphoneHelp[problem]
  if (problem !== 'refused') return { title, text }
  const wayToAllow = isStandalone
    ? `Allow the ${device} for Hearth in the settings of your device, then close Hearth and open it again.`
    : `Press the sign beside the address, allow the ${device} there, and try again.`
  return { title, text: `${wayToAllow} ${text}` }
}
