import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Slot } from '#contract/availability/availability.ts'
import type { Appointment, AppointmentDetail } from '#contract/bookings/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'
import type { Service, ServiceTypes } from '#contract/practitioners/practitioners.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { serverNow } from '#web/lib/clock.ts'
import { poundsToPence } from '#web/lib/money.ts'
import { viewerZone } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { showToast } from '#web/ui/Toast.tsx'
import {
  changedPrice,
  type ChangedPrice,
  isChange,
  unpaidPrice,
  type WantedChange,
} from './session-change.ts'
import { type BankChecked, sessionAct, useBankChecked, useIsMounted } from '#web/lib/use-bank-checked.ts'

export type SessionChange = {
  choice: { type: AppointmentType; service: Service | undefined; slot: Slot | undefined }
  /** The time as it would be: the chosen one, else the present one. */
  startsAt: string
  /** Nothing as long as no service is chosen. */
  price: ChangedPrice | undefined
  isChange: boolean
  /** Set when 'Book session' was pressed without anything being different, or without a card for the difference. */
  lack: 'change' | 'card' | undefined
  checked: BankChecked
  made: ChangeMade | undefined
  chooseType(type: AppointmentType): void
  chooseService(id: number): void
  /** `undefined`: the chosen one has gone meanwhile. */
  chooseSlot(slot: Slot | undefined): void
  /** `cardId` pays the difference when there is one to pay. */
  carryOut(cardId: string | undefined): void
}

export type ChangeMade = { before: AppointmentDetail; after: Appointment; difference: number }

/** The client's choice in the edit-session dialog: what it costs, and carrying it out. */
export function useSessionChange(
  session: AppointmentDetail,
  /** Absent while they load. */
  services: ServiceTypes | undefined,
): SessionChange {
  const client = useQueryClient()
  const isMounted = useIsMounted()
  const edit = useAction('POST /appointment/edit-session')
  const [type, setType] = useState<AppointmentType>(session.appointment_type ?? 'online')
  const [serviceId, setServiceId] = useState(session.service_id)
  const [slot, setSlot] = useState<Slot>()
  const [lack, setLack] = useState<'change' | 'card'>()
  /** The price that the server named, in pence, when it was another than ours. */
  const [named, setNamed] = useState<number>()
  const [made, setMade] = useState<ChangeMade>()
  /** What was asked for last: where the answer was lost, the session itself says that it was done. */
  const [tried, setTried] = useState<WantedChange & Omit<ChangeMade, 'after'>>()

  const checked = useBankChecked({
    onRefused(error) {
      const fee = error instanceof ApiError && error.code === 'price_changed' ? error.details.fee : undefined
      if (typeof fee === 'number') setNamed(poundsToPence(fee))
      // Another client may have booked the slot, or this session may have been changed in another window.
      void client.invalidateQueries()
    },
  })

  const service = services?.[type].find((each) => each.service_id === serviceId)
  const computed = service && changedPrice(session, service)
  const startsAt = slot?.starts_at ?? session.starts_at ?? ''
  const full =
    computed && named !== undefined
      ? { due: named, difference: named - poundsToPence(session.fee) }
      : computed
  const price = full && session.status === 'reserved' ? unpaidPrice(full, startsAt, serverNow()) : full
  const keepsPlace = !slot && type === session.appointment_type
  const locationId = slot?.location_id ?? (keepsPlace ? session.location_id : null)
  const wanted = service && { serviceId: service.service_id, type, startsAt, locationId }
  const isDifferent = wanted !== undefined && isChange(session, wanted)
  const isDoneAnyway = tried !== undefined && !isChange(session, tried)

  /** Another choice: what was said about the last one no longer holds. */
  function choose(): void {
    setLack(undefined)
    setTried(undefined)
    checked.clearError()
  }

  return {
    choice: { type, service, slot },
    startsAt,
    price,
    isChange: isDifferent,
    lack,
    checked,
    made: made ?? (isDoneAnyway ? { ...tried, after: session } : undefined),
    chooseType(other) {
      choose()
      setNamed(undefined)
      setType(other)
      setSlot(undefined)
      const offered = services?.[other] ?? []
      const isOffered = offered.some((each) => each.service_id === serviceId)
      if (!isOffered) setServiceId(offered[0]?.service_id ?? null)
    },
    chooseService(id) {
      choose()
      setNamed(undefined)
      setServiceId(id)
      setSlot(undefined)
    },
    chooseSlot(chosen) {
      // One that has gone by itself leaves the words about why.
      if (chosen) choose()
      setSlot(chosen)
    },
    carryOut(cardId) {
      setLack(undefined)
      if (!wanted || !price || !isDifferent) return setLack('change')
      if (price.difference > 0 && cardId === undefined) return setLack('card')
      const body = {
        appointment_id: session.appointment_id,
        type,
        location_id: locationId,
        appointment_datetime: startsAt,
        service_id: wanted.serviceId,
        customer_id: price.difference > 0 ? cardId : null,
        fee: price.due / 100,
        timezone: viewerZone(),
      }
      setTried({ ...wanted, before: session, difference: price.difference })
      const change = async () => {
        const after = await edit.send({ body })
        void client.invalidateQueries()
        if (isMounted.current) setMade({ before: session, after, difference: price.difference })
        else showToast('Your booking is changed!')
      }
      checked.run(sessionAct(session.appointment_id, change))
    },
  }
}
