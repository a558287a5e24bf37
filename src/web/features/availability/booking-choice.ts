import { useState } from 'react'
import type { Slot } from '#contract/availability/availability.ts'
import type { AppointmentType } from '#contract/common.ts'
import type { PractitionerProfile, Service, ServiceTypes } from '#contract/practitioners/practitioners.ts'
import { bookTherapistPath } from '#web/lib/booking-path.ts'
import { joinWaitlistPath } from '#web/lib/waitlist-path.ts'
import { sessionFormats } from '#web/lib/session-formats.ts'
import { keepChoice, useKeptChoice } from './kept-choice.ts'

/** The id of the link to booking beside the times. */
export const bookButtonId = 'book-session'

/** Formats that have something to offer, online first. */
export function formatsOf(services: ServiceTypes): AppointmentType[] {
  return sessionFormats.filter((type) => services[type].length > 0)
}

/** The service asked for, else the first of the format asked for, else the first of any; nothing when none is offered. */
export function pickService(
  services: ServiceTypes,
  type?: AppointmentType,
  serviceId?: number,
): Service | undefined {
  const offered =
    type && services[type].length > 0 ? services[type] : services[formatsOf(services)[0] ?? 'online']
  return offered.find((service) => service.service_id === serviceId) ?? offered[0]
}

/** Where a chosen time is reviewed and paid. */
export function bookingPath(practitionerId: number, service: Service, slot: Pick<Slot, 'starts_at'>): string {
  return bookTherapistPath({
    practitionerId,
    serviceId: service.service_id,
    startsAt: slot.starts_at,
    type: service.appointment_type,
  })
}

/** The way to the waitlist, and whether it takes the place of free times; undefined while the waitlist is closed. */
export function waitingOf(
  {
    practitioner_id: id,
    waitlist,
    next_available,
  }: Pick<PractitionerProfile, 'practitioner_id' | 'waitlist' | 'next_available'>,
  service: Service,
): { joinPath: string; isFull: boolean } | undefined {
  if (!waitlist.open) return undefined
  return {
    joinPath: joinWaitlistPath(id, { type: service.appointment_type, serviceId: service.service_id }),
    isFull: Object.values(next_available).every((start) => start === null),
  }
}

/** The client's choice before booking: a service, and a slot for it. On the way back it begins with the service chosen last. */
export function useBookingChoice(
  { practitioner_id: practitionerId, services }: Pick<PractitionerProfile, 'practitioner_id' | 'services'>,
  first: Service | undefined,
) {
  const before = useKeptChoice(practitionerId)
  const known = before && services[before.type].find(({ service_id: id }) => id === before.serviceId)
  const [service, setService] = useState(known ?? first)
  const [slot, setSlot] = useState<Slot>()
  const change = (next: Service | undefined) => {
    if (next === undefined) return
    setService(next)
    // Its times are others.
    setSlot(undefined)
  }
  return {
    service,
    slot,
    setSlot(next: Slot | undefined) {
      setSlot(next)
      if (!next || !service) return
      const { service_id: serviceId, appointment_type: type } = service
      keepChoice({ practitionerId, serviceId, type, startsAt: next.starts_at })
    },
    /** Where the times of the service begin, if not with the present week. */
    opensAt: service === known ? before?.startsAt : undefined,
    /** Of the format, the service with this id, else its first. */
    setService: (type: AppointmentType, serviceId: number) => change(pickService(services, type, serviceId)),
  }
}

export type BookingChoice = ReturnType<typeof useBookingChoice>
