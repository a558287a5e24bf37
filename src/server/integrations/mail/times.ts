import { zoneTime } from '#contract/zone-names.ts'

// How mails write days and times. Zones are IANA names.

/** Monday 8 June 2026. */
export function day(instant: Date, zone: string): string {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: zone,
    })
      .formatToParts(instant)
      .map((part) => [part.type, part.value]),
  )
  return `${parts.weekday} ${parts.day} ${parts.month} ${parts.year}`
}

/** 8 June 2026. */
export function date(instant: Date, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: zone }).format(instant)
}

/** 14:00. */
export function time(instant: Date, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  }).format(instant)
}

/** London time, British Summer Time. */
export function zoneWords(zone: string, instant: Date): string {
  const name = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'long' })
    .formatToParts(instant)
    .find((part) => part.type === 'timeZoneName')?.value
  return name && zone.includes('/') ? `${zoneTime(zone)}, ${name}` : (name ?? zone)
}
