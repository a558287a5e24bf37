import { identityScript } from './identity-script.ts'

/** The part of Google Identity Services that is used (https://developers.google.com/identity/gsi/web/reference/js-reference). */
export type GoogleIdentity = {
  initialize(wish: {
    client_id: string
    nonce: string
    ux_mode: 'popup'
    auto_select: false
    context: 'signin' | 'signup'
    callback(answer: { credential: string }): void
  }): void
  renderButton(
    parent: HTMLElement,
    look: {
      type: 'standard'
      theme: 'outline' | 'filled_black'
      size: 'large'
      text: 'continue_with'
      shape: 'pill'
      logo_alignment: 'center'
      width: number
      locale: string
    },
  ): void
  cancel(): void
}

type WithGoogle = { google?: { accounts?: { id?: GoogleIdentity } } }

let loading: Promise<GoogleIdentity> | undefined

/** Loads Google's script once, on the first sign-in page. A failed load is tried again. @throws Error if it does not load */
export function loadGoogleIdentity(): Promise<GoogleIdentity> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<GoogleIdentity> {
  const address = identityScript()
  if (!address) throw new Error('No sign-in script is configured.')
  const element = document.createElement('script')
  element.src = address
  await new Promise<void>((resolve, reject) => {
    element.addEventListener('load', () => resolve())
    element.addEventListener('error', () => reject(new Error('The sign-in script did not load.')))
    document.head.append(element)
  })
  const identity = (window as WithGoogle).google?.accounts?.id
  if (!identity) throw new Error('The sign-in script is not what it should be.')
  return identity
}

/**
 * Sends the origin, and no more of the address, as the referrer to the provider, which draws its button only on the sites
 * registered with it. Everywhere else the product sends no referrer. Returns the function that ends it.
 */
export function tellSite(): () => void {
  const element = document.createElement('meta')
  element.name = 'referrer'
  element.content = 'strict-origin'
  document.head.append(element)
  return () => {
    // A policy stays when its element goes; the last one counts.
    element.content = 'no-referrer'
  }
}
