import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { BodySent } from '#contract/endpoints.ts'
import { callApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { isSandbox } from '#web/lib/payment-provider.ts'
import { askAtBank } from '#web/lib/stripe.ts'
import type { ActStep } from '#web/lib/use-bank-checked.ts'

/** What is paid here. */
export type Purpose = BodySent<'POST /therapist/payment/confirm-authentication'>['purpose']

export type Payment = {
  step: ActStep
  /** Why the last try did not succeed. Nothing was charged then. */
  error: unknown
  /** A second press while the first is under way does nothing. */
  run(act: () => Promise<unknown>): void
  /** The practitioner says to their bank that it is them. */
  confirm(): void
  decline(): void
}

/** Something that charges the card in use, and may be stopped by the bank's question in between. */
export function usePayment(purpose: Purpose, onPaid: () => void): Payment {
  const client = useQueryClient()
  const [step, setStep] = useState<Payment['step']>('idle')
  const [error, setError] = useState<unknown>()
  const isBusy = useRef(false)

  async function carryOut(act: () => Promise<unknown>, isConfirmation: boolean): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    let leadsToBank = false
    let wanted: unknown
    setError(undefined)
    setStep(isConfirmation ? 'confirming' : 'working')
    try {
      await act()
      await client.invalidateQueries()
      setStep('idle')
      onPaid()
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.code === 'authentication_required' && !isConfirmation) {
        if (isSandbox()) setStep('asking')
        else leadsToBank = true
        wanted = thrown
      } else {
        setError(thrown)
        // What never reached the server can be confirmed once more.
        const isRepeatable = isSandbox() && isConfirmation
        setStep(isRepeatable && thrown instanceof ApiError && thrown.status === 0 ? 'asking' : 'idle')
      }
    } finally {
      isBusy.current = leadsToBank
    }
    if (leadsToBank) await goOnAtBank(wanted)
  }

  async function goOnAtBank(wanted: unknown): Promise<void> {
    setStep('at_bank')
    try {
      await askAtBank(wanted)
    } catch (thrown) {
      setError(thrown)
      setStep('idle')
      return
    } finally {
      isBusy.current = false
    }
    await carryOut(confirmAuthentication, true)
  }

  const confirmAuthentication = () =>
    callApi('POST /therapist/payment/confirm-authentication', { body: { purpose } })

  return {
    step,
    error,
    run: (act) => void carryOut(act, false),
    confirm: () => void carryOut(confirmAuthentication, true),
    decline() {
      setStep('idle')
      setError(
        new ApiError(402, {
          code: 'authentication_required',
          message:
            'You stopped your bank’s check, so nothing was charged. You can try again or use another card.',
        }),
      )
    },
  }
}
