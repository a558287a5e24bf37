import type { AppointmentType } from '#contract/common.ts'
import type { OfferedServices } from '#contract/practitioners/onboarding.ts'
import { sessionFormats } from '#web/lib/session-formats.ts'

/** A service that there is. */
export type Service = { service_id: number; name: string }

/** A service that is offered, as it is typed. */
export type ServiceEntry = { service_id: string; format: AppointmentType; duration: string; fee: string }

/** By the specification, what a new service starts from. */
export const usual = { duration: '120', fee: '160' }

/** The saved services as a list. */
export function entriesOf(saved: OfferedServices): ServiceEntry[] {
  return sessionFormats.flatMap((format) =>
    saved[format].map(({ service_id, duration, fee }) => ({
      service_id: String(service_id),
      format,
      duration: String(duration),
      fee: fee.toFixed(Number.isInteger(fee) ? 0 : 2),
    })),
  )
}

/** The services of a format as they are sent. */
export function offeredOf(entries: readonly ServiceEntry[], format: AppointmentType) {
  return entries
    .filter((entry) => entry.format === format)
    .map(({ service_id, duration, fee }) => ({
      service_id: Number(service_id),
      duration: numberOf(duration),
      fee: numberOf(fee),
    }))
}

/** A number as it is typed, with a comma or a point; 0 where it is none. */
export function numberOf(text: string): number {
  const number = Number(text.replace(',', '.'))
  return Number.isFinite(number) ? number : 0
}

export function durationFault(text: string): string | undefined {
  const isGood = /^\d+$/.test(text) && Number(text) >= 15 && Number(text) <= 240
  return isGood ? undefined : 'Enter between 15 and 240 minutes.'
}

export function feeFault(text: string): string | undefined {
  if (/^\d+[.,]\d{3,}$/.test(text)) return 'Enter pounds and whole pence.'
  const isGood = /^\d+([.,]\d{1,2})?$/.test(text) && numberOf(text) >= 1 && numberOf(text) <= 1000
  return isGood ? undefined : 'Enter a price between £1 and £1,000.'
}
