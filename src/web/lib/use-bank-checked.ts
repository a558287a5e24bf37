import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { callApi } from './api.ts'
import { ApiError } from './api-error.ts'
import { isSandbox, paymentProvider } from './payment-provider.ts'
import { askAtBank } from './stripe.ts'
import { keepTabText, readTabText } from './tab-texts.ts'

/** `asking`: our own window asks in the place of a bank. `at_bank`: a bank asks, in the payment provider's window. */
export type ActStep = 'idle' | 'working' | 'asking' | 'at_bank' | 'confirming'

/** Something that moves money. */
export type BankAct = {
  carryOut(): Promise<void>
  /** Tells the server that the bank has asked, and carries it out. Must be safe to repeat. */
  confirm(): Promise<void>
  /** Called when the client stops the bank's check. */
  stop?(): void
}

/** What moves money, and may be stopped by the bank's question in between. */
export type BankChecked = {
  step: ActStep
  /** Why the last try did not succeed. */
  error: unknown
  /** A second press while the first is under way does nothing. */
  run(act: BankAct): void
  confirm(): void
  decline(): void
  clearError(): void
}

/**
 * @param onRefused told of every refusal, for what has to be read again: a hold may have become longer or have gone
 */
export function useBankChecked({ onRefused }: { onRefused?(error: unknown): void } = {}): BankChecked {
  const client = useQueryClient()
  const [step, setStep] = useState<ActStep>('idle')
  const [error, setError] = useState<unknown>()
  const isBusy = useRef(false)
  const stopped = useRef<BankAct>(undefined)

  async function carryOut(act: BankAct, isConfirmed: boolean): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    let leadsToBank = false
    let wanted: unknown
    setError(undefined)
    setStep(isConfirmed ? 'confirming' : 'working')
    try {
      await (isConfirmed ? act.confirm() : act.carryOut())
      setStep('idle')
    } catch (thrown) {
      onRefused?.(thrown)
      // A card that was declined is marked, or not kept. One that is not found was removed in another window.
      if (thrown instanceof ApiError && (thrown.code === 'card_declined' || thrown.status === 404))
        void client.invalidateQueries({ queryKey: ['cards'] })
      if (isAuthenticationWanted(thrown) && !isConfirmed) {
        stopped.current = act
        if (isSandbox()) setStep('asking')
        else leadsToBank = true
      } else {
        setError(thrown)
        // What never reached the server can be confirmed once more.
        setStep(
          isSandbox() && isConfirmed && thrown instanceof ApiError && thrown.status === 0 ? 'asking' : 'idle',
        )
      }
      wanted = thrown
    } finally {
      isBusy.current = leadsToBank
    }
    if (leadsToBank) await goOnAtBank(wanted)
  }

  async function goOnAtBank(wanted: unknown): Promise<void> {
    setStep('at_bank')
    try {
      await askAtBank(wanted)
    } catch (error) {
      stopped.current?.stop?.()
      setError(error)
      setStep('idle')
      return
    } finally {
      isBusy.current = false
    }
    const { current } = stopped
    if (current) await carryOut(current, true)
  }

  return {
    step,
    error,
    run: (act) => void carryOut(act, false),
    confirm() {
      const { current } = stopped
      if (current) void carryOut(current, true)
    },
    decline() {
      stopped.current?.stop?.()
      setStep('idle')
      setError(bankCheckStopped())
    },
    clearError: () => setError(undefined),
  }
}

/** Whether the component is still mounted: work that ends after it was left must not navigate. */
export function useIsMounted(): { readonly current: boolean } {
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return isMounted
}

/** Something that moves money for a session. `carryOut` must be safe to repeat: it is, after the bank's check. */
export function sessionAct(sessionId: string, carryOut: () => Promise<void>): BankAct {
  const noteAsking = (isAsking: boolean) => keepTabText(askingName(sessionId), isAsking ? '1' : undefined)
  const noting = async (step: () => Promise<void>) => {
    try {
      await step()
      noteAsking(false)
    } catch (error) {
      // A failure that says nothing of the payment leaves it as it was.
      const isUnclear = error instanceof ApiError && (error.status === 0 || error.status >= 500)
      if (!isUnclear) noteAsking(isAuthenticationWanted(error))
      throw error
    }
  }
  return {
    carryOut: () => noting(carryOut),
    confirm: () =>
      noting(async () => {
        await confirmAuthentication(sessionId)
        await carryOut()
      }),
    stop: () => noteAsking(false),
  }
}

/** Goes on with a payment about which the bank was asking when the page was left. `carryOut` is what follows it. */
export function unfinishedAct(sessionId: string, carryOut: () => Promise<void>): BankAct {
  const act = sessionAct(sessionId, carryOut)
  return { ...act, carryOut: () => act.confirm().catch(refusedMeanwhile) }
}

/** Whether the bank was asking about the payment of a session when a page of this tab was left. */
export const wasBankAsking = (sessionId: string): boolean => readTabText(askingName(sessionId)) !== null

const askingName = (sessionId: string) => `bank-${sessionId}`

async function confirmAuthentication(sessionId: string): Promise<void> {
  await callApi('POST /payment/{provider}/confirm-authentication', {
    params: { provider: paymentProvider() },
    body: { session_id: sessionId },
  })
}

function isAuthenticationWanted(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'authentication_required'
}

/** The bank has said no while the page was away: there is no payment left to confirm. */
function refusedMeanwhile(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== 'not_payable') throw error
  throw new ApiError(402, {
    code: 'not_paid',
    message: 'Your bank did not approve that payment, so nothing was taken. You can pay below.',
  })
}

function bankCheckStopped(): ApiError {
  return new ApiError(402, {
    code: 'authentication_required',
    message: 'You stopped your bank’s check, so nothing was charged. You can try again or use another card.',
  })
}
