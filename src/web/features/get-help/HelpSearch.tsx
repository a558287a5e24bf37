import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate } from 'react-router'
import type { FollowedAppointment } from '#contract/bookings/bookings.ts'
import type { HelpDispatch, HelpPractitioner } from '#contract/get-help/help-dispatch.ts'
import { BankAsked } from '#web/ui/BankAsked.tsx'
import { BankCheck } from '#web/ui/BankCheck.tsx'
import { Busy, LookingAround } from './Busy.tsx'
import type { CardsToPayWith } from './cards-to-pay-with.ts'
import { helpAddCardPath, helpFollowPath } from './help-paths.ts'
import { currentHelpQuery, heldLookAgainIn, helpRoot, helpSearchQuery } from './help-queries.ts'
import { texts } from './help-labels.ts'
import { HelpFrame } from './HelpFrame.tsx'
import { noteRunningHelp } from './running-help.ts'
import { helpFee, useClaim, useHelpPayment } from './use-help-payment.ts'
import { YourTherapist } from './YourTherapist.tsx'
import { announce } from '#web/lib/announce.ts'
import { useAction } from '#web/lib/use-action.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'

/** Shows the practitioner who is free now before the client pays, or that none is. Continues a search that runs already. */
export function HelpSearch({ issueId, cards }: { issueId: number; cards: CardsToPayWith }) {
  const client = useQueryClient()
  const navigate = useLateNavigate()
  const [replaced, setReplaced] = useState<string>()
  const [hasRunOut, setRunOut] = useState(false)
  const current = useQuery({
    ...currentHelpQuery(),
    refetchInterval: ({ state }) => heldLookAgainIn(state.data?.dispatch),
  })
  const claimed = current.data?.dispatch?.state === 'claimed' ? current.data : undefined
  // What is held for another issue is given up with the payment for this one.
  const held = claimed && isAbout(claimed.dispatch, issueId) ? claimed : undefined
  const search = useQuery({
    ...helpSearchQuery(issueId),
    enabled: !current.isPending && !held,
    refetchInterval: ({ state }) => (state.data === null ? 20_000 : false),
    // A client who waits in another window reads it in the title.
    refetchIntervalInBackground: true,
  })
  // Of the searches that find no practitioner only one that was pressed for says so.
  const searchAgain = useAction(async () => {
    const { data, isSuccess } = await search.refetch()
    if (isSuccess && data === null) announce(texts.stillBusy)
  })
  const claiming = useClaim()
  const look = useAction(() => client.fetchQuery(currentHelpQuery()))
  const payment = useHelpPayment({
    onPaid: (sessionId) => void navigate(helpFollowPath(sessionId, issueId), { replace: true }),
  })

  const heldId = held?.session_id
  useEffect(() => {
    if (heldId !== undefined) noteRunningHelp(heldId)
  }, [heldId])

  if (current.data?.dispatch?.state === 'asking') {
    return (
      <Navigate
        to={helpFollowPath(current.data.session_id, current.data.dispatch.issue?.issue_id ?? issueId)}
        replace
      />
    )
  }

  /**
   * Holds a practitioner before the payment. Returns undefined if the server refused, or if it held another one than was
   * shown: the client sees that practitioner before paying.
   */
  async function heldSession(shown: HelpPractitioner) {
    if (held) return held
    look.reset()
    const created = await claiming.claim(issueId, shown, (code) => {
      if (code === 'nobody_available') client.setQueryData(helpSearchQuery(issueId).queryKey, null)
      if (code === 'help_under_way') void client.invalidateQueries({ queryKey: helpRoot() })
      return code === 'nobody_available' || code === 'help_under_way'
    })
    if (!created) return undefined
    setRunOut(false)
    const isAnother = created.practitioner_id !== shown.practitioner_id
    setReplaced(isAnother ? shown.full_name : undefined)
    await look.send().catch(() => undefined)
    return isAnother ? undefined : created
  }

  async function pay(shown: HelpPractitioner, how: 'saved card' | 'another card'): Promise<void> {
    const session = await heldSession(shown)
    if (!session) return
    const { chosenId } = cards
    if (how === 'saved card' && chosenId !== undefined) payment.pay(session, chosenId)
    else void navigate(helpAddCardPath(session, issueId))
  }

  const shown = claimedFor(claimed?.dispatch, issueId) ?? search.data
  if (shown) {
    const isBusy = claiming.isClaiming || payment.step !== 'idle'
    const error = payment.step === 'asking' ? undefined : (payment.error ?? claiming.error ?? look.error)
    return (
      <HelpFrame step="your therapist" title={texts.found} here="Booking">
        <YourTherapist
          practitioner={shown}
          held={held}
          fee={held?.fee ?? helpFee}
          note={noteOf({ replaced, hasRunOut, held })}
          cards={cards}
          unfinished={held && <BankAsked session={held} payment={payment} label="Finish paying" />}
          isBusy={isBusy}
          error={error}
          onPay={(how) => void pay(shown, how)}
          onRunOut={() => {
            setRunOut(true)
            setReplaced(undefined)
            payment.clearError()
            void current.refetch()
            void search.refetch()
          }}
          onLetGo={() => {
            void client.invalidateQueries({ queryKey: helpRoot() })
            void navigate('/get-help')
          }}
        />
        <BankCheck checked={payment} />
      </HelpFrame>
    )
  }
  if (search.isPending) return <LookingAround />
  return (
    <Busy
      issueId={issueId}
      error={search.error}
      isSearching={searchAgain.isPending}
      onSearch={() => searchAgain.start()}
    />
  )
}

const isAbout = (dispatch: HelpDispatch | null, issueId: number): boolean =>
  !dispatch?.issue || dispatch.issue.issue_id === issueId

/** The practitioner who is held for the client, if they treat an issue: a search finds only those who are not held. */
function claimedFor(
  dispatch: HelpDispatch | null | undefined,
  issueId: number,
): HelpPractitioner | undefined {
  const practitioner = dispatch?.practitioner ?? undefined
  const isFitting =
    isAbout(dispatch ?? null, issueId) || practitioner?.issue.some(({ issue_id }) => issue_id === issueId)
  return isFitting ? practitioner : undefined
}

function noteOf(known: {
  replaced: string | undefined
  hasRunOut: boolean
  held: FollowedAppointment | undefined
}): { title: string; text: string } | undefined {
  const name = known.held?.dispatch?.practitioner?.full_name
  if (known.replaced && name) {
    return {
      title: `${known.replaced} has just been taken`,
      text: `${name} is free and held for you now. Please look before you pay: nothing has been charged.`,
    }
  }
  if (known.hasRunOut && !known.held) {
    return {
      title: 'The five minutes to pay are over',
      text: 'Nothing was charged. We have searched again, and this is who is free now.',
    }
  }
  return undefined
}
