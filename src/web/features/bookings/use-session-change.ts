import { useQuery, useQueryClient } from '@tanstack/react-query'
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
import { previewQuery } from './booking-queries.ts'
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
  /** Where it would be; null online, and where that is not known. */
  locationId: number | null
  /** Whether `startsAt` can be had for the choice. `unknown`: that could not be looked up. */
  time: 'free' | 'checking' | 'not free' | 'unknown'
  /** Nothing as long as no service is chosen. */
  price: ChangedPrice | undefined
  isChange: boolean
  /**
   * Set when 'Book session' was pressed without anything being different, without a time that is free for the choice, or
   * without a card for the difference.
   */
  lack: 'change' | 'time' | 'card' | undefined
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
  const [shown] = useState(() => shownOf(session))
  const [picked, setPicked] = useState<{ slot: Slot; type: AppointmentType; serviceId: number | null }>()
  const [lack, setLack] = useState<SessionChange['lack']>()
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
  const startsAt = picked?.slot.starts_at ?? session.starts_at ?? ''
  // Found among the free times of this choice, or the session as it is.
  const source = picked ?? { type: session.appointment_type, serviceId: session.service_id }
  const isKnownFree = source.type === type && source.serviceId === serviceId
  const place = source.type === type ? (picked?.slot ?? session).location_id : null
  const preview = useQuery({
    ...previewQuery({
      practitionerId: session.practitioner_id,
      serviceId: serviceId ?? 0,
      type,
      startsAt,
      appointmentId: picked ? undefined : session.appointment_id,
      locationId: place ?? undefined,
    }),
    enabled: service !== undefined && !isKnownFree,
  })
  const time = isKnownFree ? 'free' : timeOf(preview)
  const slot = time === 'free' ? picked?.slot : undefined
  const full =
    computed && named !== undefined
      ? { due: named, difference: named - poundsToPence(session.fee) }
      : computed
  const price = full && session.status === 'reserved' ? unpaidPrice(full, startsAt, serverNow()) : full
  const locationId = place ?? preview.data?.location_id ?? null
  const wanted = service && { serviceId: service.service_id, type, startsAt, locationId }
  const isDifferent = time === 'free' && wanted !== undefined && isChange(session, wanted)
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
    locationId,
    time,
    price,
    isChange: isDifferent,
    lack,
    checked,
    made: made ?? (isDoneAnyway ? { ...tried, after: session } : undefined),
    chooseType(other) {
      choose()
      setNamed(undefined)
      setType(other)
      const offered = services?.[other] ?? []
      const isOffered = offered.some((each) => each.service_id === serviceId)
      if (!isOffered) setServiceId(offered[0]?.service_id ?? null)
    },
    chooseService(id) {
      choose()
      setNamed(undefined)
      setServiceId(id)
    },
    chooseSlot(chosen) {
      // One that has gone by itself leaves the words about why.
      if (chosen) choose()
      setPicked(chosen && { slot: chosen, type, serviceId })
    },
    carryOut(cardId) {
      setLack(undefined)
      if (wanted && time !== 'free') return setLack('time')
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
        shown,
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

/** What the choice began from: a session that was changed in another window meanwhile is not set back. */
function shownOf({ starts_at, service_id, appointment_type }: AppointmentDetail) {
  return starts_at && appointment_type ? { starts_at, service_id, appointment_type } : undefined
}

/** Whether the time can be had, by what the server says of it. */
function timeOf({ data, isError }: { data: { free: boolean } | undefined; isError: boolean }) {
  if (isError) return 'unknown'
  if (!data) return 'checking'
  return data.free ? 'free' : 'not free'
}
