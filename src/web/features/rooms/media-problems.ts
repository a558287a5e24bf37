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
    text: 'Open this page in a recent Safari or Chrome, or go on with your voice alone.',
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
    text: 'Open this page in a recent Safari or Chrome. You can still write in the chat.',
  },
  failed: {
    title: 'Your microphone did not start',
    text: 'Try again. You can still listen, and write in the chat.',
  },
}

/** What shows this page. The address is in sight in a browser alone. */
export type ShownBy = 'browser' | 'home screen' | 'other app'

/**
 * What shows a page, by the user agent: web views of iOS name no Safari, those of Android say `wv`, and some apps add no
 * more than their own name.
 */
export function shownBy(userAgent: string, isStandalone: boolean): ShownBy {
  if (isStandalone) return 'home screen'
  const isWebView = /; wv\)|FBA[NV]\/|Instagram|Snapchat/.test(userAgent)
  const isUnnamed = /AppleWebKit\//.test(userAgent) && !/ Safari\//.test(userAgent)
  return isWebView || isUnnamed ? 'other app' : 'browser'
}

const waysToAllow: Record<ShownBy, (device: string) => string> = {
  browser: (device) => `Press the sign beside the address, allow the ${device} there, and try again.`,
  'home screen': (device) =>
    `Allow the ${device} for Hearth in the settings of your device, then close Hearth and open it again.`,
  'other app': (device) =>
    `This page is open inside another app, which may not let it use the ${device}. Open it in Safari or Chrome, most often by the app’s menu.`,
}

/** What happened, and how to go on. */
export function helpFor(device: 'microphone' | 'camera', problem: CameraProblem, place: ShownBy): Help {
  const { title, text } =
    device === 'camera' || problem === 'kept' ? cameraHelp[problem] : microphoneHelp[problem]
  return { title, text: problem === 'refused' ? `${waysToAllow[place](device)} ${text}` : text }
}
