import { NavigationType, useNavigationType } from 'react-router'
import { useState } from 'react'
import type { AppointmentType } from '#contract/common.ts'
import { serverNow } from '#web/lib/clock.ts'

/** A time that was chosen on a profile, and what for. */
export type KeptChoice = {
  practitionerId: number
  serviceId: number
  type: AppointmentType
  startsAt: string
}

/** In memory alone: another person at this device finds nothing of it. */
let kept: KeptChoice | undefined

export function keepChoice(choice: KeptChoice): void {
  kept = choice
}

/**
 * What was chosen last, on the way back to the profile of its practitioner. The time itself may be gone or held by now:
 * its day is shown again, and nothing is chosen.
 */
export function useKeptChoice(practitionerId: number): KeptChoice | undefined {
  const isReturn = useNavigationType() === NavigationType.Pop
  const [found] = useState(() => {
    if (!isReturn || kept?.practitionerId !== practitionerId) return undefined
    return Date.parse(kept.startsAt) > serverNow() ? kept : undefined
  })
  return found
}
