import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { BodyOf } from '#contract/endpoints.ts'
import type { Series, SeriesTerms } from '#contract/series/series.ts'
import { callApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { useAction } from '#web/lib/use-action.ts'
import { type BankChecked, sessionAct, useBankChecked } from '#web/lib/use-bank-checked.ts'
import type { resolved } from './ConflictChoice.tsx'

type Wanted = {
  /** The series to agree to; makes it first where there is none yet. Must be safe to repeat. */
  seriesId(): Promise<string>
  customerId: string
  terms: SeriesTerms
  dates: ReturnType<typeof resolved>
  shown: BodyOf<'POST /series/{series_id}/agree'>['shown']
}

export type Agreeing = BankChecked & { agree(wanted: Wanted): void }

/** The series was agreed, and only its first session could not be paid: the page of that payment goes on. @throws the error */
async function agreedThough(error: unknown, seriesId: string): Promise<{ data: Series }> {
  if (!(error instanceof ApiError) || error.code !== 'card_declined') throw error
  const known = await callApi('GET /series/{series_id}', { params: { series_id: seriesId } })
  if (known.data.state !== 'active') throw error
  return known
}

/** Agrees to a series with a saved card. Pressing again after a lost connection goes on where it was. */
export function useAgree({
  onAgreed,
  onRefused,
}: {
  onAgreed(series: Series): void
  onRefused(error: unknown): void
}): Agreeing {
  const client = useQueryClient()
  const agreement = useAction('POST /series/{series_id}/agree')
  /** The series that was agreed, and its session that the bank has asked about. */
  const asked = useRef<{ seriesId: string; sessionId: string }>(undefined)
  const checked = useBankChecked({
    onRefused(error) {
      const { appointment_id: sessionId, series_id: seriesId } =
        error instanceof ApiError ? error.details : {}
      if (typeof sessionId === 'string' && typeof seriesId === 'string')
        asked.current = { seriesId, sessionId }
      onRefused(error)
    },
  })
  // Without the bank's word the series is agreed all the same: the page of the payment goes on.
  const isUnpaid = checked.step === 'idle' && checked.error !== undefined
  const leadOn = useEffectEvent(async () => {
    if (asked.current === undefined) return
    const { data } = await callApi('GET /series/{series_id}', {
      params: { series_id: asked.current.seriesId },
    })
    if (data.state !== 'active') return
    void client.invalidateQueries()
    onAgreed(data)
  })
  useEffect(() => {
    // If it cannot be read, what the page says of the payment stays.
    if (isUnpaid) void leadOn().catch(() => undefined)
  }, [isUnpaid])
  return {
    ...checked,
    agree({ seriesId, customerId, terms, dates, shown }) {
      const carryOut = async () => {
        const id = await seriesId()
        const { data } = await agreement
          .send({
            params: { series_id: id },
            body: { customer_id: customerId, terms_version: terms.version, dates, shown },
          })
          .catch((error: unknown) => agreedThough(error, id))
        void client.invalidateQueries()
        onAgreed(data)
      }
      checked.run({
        carryOut,
        confirm: () =>
          asked.current === undefined ? carryOut() : sessionAct(asked.current.sessionId, carryOut).confirm(),
      })
    },
  }
}
