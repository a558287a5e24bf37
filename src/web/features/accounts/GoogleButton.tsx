import { isDarkShown } from '#web/lib/theme.ts'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { callApi } from '#web/lib/api.ts'
import { type GoogleIdentity, loadGoogleIdentity, tellSite } from '#web/lib/google-identity.ts'
import { isStandalone } from '#web/lib/standalone.ts'

type Props = {
  clientId: string
  purpose: 'sign-in' | 'sign-up'
  onCredential(credential: string): void
  /** The way to the provider's pages, until the button is there, and where it never comes. */
  children: ReactNode
}

/** A nonce is good for 15 minutes; a new one is asked for well before. */
const renewal = 10 * 60_000
/** What Google draws at most, in pixels. */
const widest = 400

/** Google's own button, drawn by its script. What it hands over names a nonce that is bound to this browser. */
export function GoogleButton({ clientId, purpose, onCredential, children }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [isDrawn, setDrawn] = useState(false)
  const hand = useEffectEvent(onCredential)

  useEffect(tellSite, [])

  useEffect(() => {
    const container = place.current
    // An app from the home screen opens the button's window elsewhere, and no credential comes back from there.
    if (!container || isStandalone()) return undefined
    let isOver = false
    let identity: GoogleIdentity | undefined
    const draw = async () => {
      const [{ nonce }, loaded] = await Promise.all([
        callApi('GET /identity/nonce', { query: { bound: 'true' } }),
        loadGoogleIdentity(),
      ])
      if (isOver) return
      identity = loaded
      identity.initialize({
        client_id: clientId,
        nonce,
        ux_mode: 'popup',
        auto_select: false,
        context: purpose === 'sign-in' ? 'signin' : 'signup',
        callback: ({ credential }) => hand(credential),
      })
      container.replaceChildren()
      identity.renderButton(container, {
        type: 'standard',
        theme: isDarkShown() ? 'filled_black' : 'outline',
        size: 'large',
        text: 'continue_with',
        shape: 'pill',
        logo_alignment: 'center',
        width: Math.min(widest, container.clientWidth),
        locale: 'en-GB',
      })
    }
    // Without the script, the way to the provider's pages stays.
    const tryToDraw = () => void draw().catch(() => undefined)
    tryToDraw()
    const timer = setInterval(tryToDraw, renewal)
    return () => {
      isOver = true
      clearInterval(timer)
      identity?.cancel()
    }
  }, [clientId, purpose])

  useEffect(() => {
    const container = place.current
    if (!container) return undefined
    const watching = new ResizeObserver(() => setDrawn(container.offsetHeight > 20))
    watching.observe(container)
    return () => watching.disconnect()
  }, [])

  return (
    <>
      <div ref={place} className="flex justify-center [color-scheme:light]" />
      {!isDrawn && children}
    </>
  )
}
