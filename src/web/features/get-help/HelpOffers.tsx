import { Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { HelpRequest, HelpRequests } from '#contract/get-help/get-help.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { useConnection } from '#web/lib/live.ts'
import { fetchDialogs } from '#web/ui/Dialog.tsx'
import { enterSession } from './enter-session.ts'
import { lookEvery, onHelpNews } from './help-news.ts'
import { lookAgain, lookForRequests, useHelpRequests } from './help-requests.ts'
import { awaitTouch, playOfferSound } from './offer-sound.ts'
import { useTitleFlash } from './use-title-flash.ts'

/** Loaded only when a practitioner is asked. */
const OfferDialog = lazyPart(() => {
  fetchDialogs()
  return import('./OfferDialog.tsx')
})

/** Milliseconds between two sounds while a request waits. */
const soundEvery = 15_000

/** On every page of a signed-in practitioner: asks, with a sound and in the tab's title, as soon as a client needs help. */
export default function HelpOffers() {
  const navigate = useNavigate()
  const { requests } = useHelpRequests()
  /** The request on the screen, also when it is not open any more: then that is said. */
  const [shown, setShown] = useState<HelpRequest>()
  const [putAside, setPutAside] = useState<string>()
  const open = requests?.open[0]

  const isConnected = useConnection() === 'connected'
  useEffect(() => onHelpNews(() => void lookAgain()), [])
  useEffect(() => {
    void lookForRequests()
    const every = isConnected ? lookEvery.connected : lookEvery.alone
    const timer = setInterval(() => void lookForRequests(), every)
    return () => clearInterval(timer)
  }, [isConnected])
  useEffect(awaitTouch, [])

  // Requests are shown one after the other: a dialog that changes under the practitioner's finger would be answered by mistake.
  if (open && !shown) setShown(open)

  const openId = open?.request_id
  useEffect(() => {
    if (openId === undefined) return undefined
    playOfferSound()
    const timer = setInterval(playOfferSound, soundEvery)
    return () => clearInterval(timer)
  }, [openId])
  useTitleFlash(open ? `${open.client_name} asks for help` : undefined)

  if (!shown) return null
  return (
    <Suspense>
      <OfferDialog
        key={shown.request_id}
        request={shown}
        isOver={!isStillOpen(shown, requests?.open)}
        hasAccepted={isAccepted(shown, requests)}
        isAside={putAside === shown.request_id}
        onAside={(isAside) => setPutAside(isAside ? shown.request_id : undefined)}
        onAccepted={() => {
          setShown(undefined)
          void lookAgain()
          void enterSession(shown.dispatch_id, navigate)
        }}
        onClose={() => {
          setShown(undefined)
          void lookAgain()
        }}
      />
    </Suspense>
  )
}

/** Whether the practitioner has accepted it: in another window, or by a call whose answer got lost. */
function isAccepted({ dispatch_id }: HelpRequest, requests: HelpRequests | undefined): boolean {
  return requests?.today.sessions.some(({ appointment_id }) => appointment_id === dispatch_id) ?? false
}

function isStillOpen(request: HelpRequest | undefined, open: readonly HelpRequest[] | undefined): boolean {
  return open?.some(({ request_id }) => request_id === request?.request_id) ?? false
}
