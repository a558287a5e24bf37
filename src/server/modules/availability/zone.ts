import { Temporal } from 'temporal-polyfill'

/** A time zone as plain numbers: offsets from UTC in milliseconds, each from the instant at which it begins. */
export type Zone = {
  name: string
  /** Local time minus UTC at an instant, both in epoch milliseconds. */
  offsetAt(instant: number): number
  /**
   * Instants at which local clocks show `local` (the epoch milliseconds that this local date and time would have in
   * UTC): none in an hour that is skipped, two, earlier first, in one that is repeated.
   */
  instantsOf(local: number): number[]
}

const day = 86_400_000
const cache = new Map<string, Zone>()
/** Zones by other spellings of their names. Browsers send some, such as `Asia/Kolkata` for what is `Asia/Calcutta` here. */
const respelt = new Map<string, Zone>()
/** A zone has many spellings: only so many are kept, so that requests cannot fill the memory. */
const respeltKept = 500
let canonicalNames: ReadonlySet<string> | undefined

/** The zone of an IANA name. Computes its transitions from 2020 to 2045 once. @throws RangeError if unknown */
export function zoneOf(name: string): Zone {
  const known = cache.get(name) ?? respelt.get(name)
  if (known) return known
  const zone = build(name)
  canonicalNames ??= new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])
  if (canonicalNames.has(name)) cache.set(name, zone)
  else {
    const [oldest] = respelt.keys()
    if (oldest !== undefined && respelt.size >= respeltKept) respelt.delete(oldest)
    respelt.set(name, zone)
  }
  return zone
}

function build(name: string): Zone {
  const starts: number[] = []
  const offsets: number[] = []
  let at: Temporal.ZonedDateTime | null = Temporal.ZonedDateTime.from({
    timeZone: name,
    year: 2020,
    month: 1,
    day: 1,
  })
  const end = Date.UTC(2045, 0, 1)
  while (at && at.epochMilliseconds < end) {
    starts.push(at.epochMilliseconds)
    offsets.push(at.offsetNanoseconds / 1_000_000)
    at = at.getTimeZoneTransition('next')
  }
  const indexAt = (instant: number) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= instant) low = middle
      else high = middle - 1
    }
    return low
  }
  const offsetAt = (instant: number) => offsets[indexAt(instant)] ?? 0
  return {
    name,
    offsetAt,
    instantsOf(local) {
      // Offsets lie within a day of UTC, so the offset that counts is in force a day before or a day after.
      const first = indexAt(local - day)
      const last = indexAt(local + day)
      const found: number[] = []
      for (let index = first; index <= last; index++) {
        const instant = local - (offsets[index] ?? 0)
        if (indexAt(instant) === index && !found.includes(instant)) found.push(instant)
      }
      return found.sort((a, b) => a - b)
    },
  }
}

/** Days since 1970-01-01 of the local date at an instant. */
export function localDay(zone: Zone, instant: number): number {
  return Math.floor((instant + zone.offsetAt(instant)) / day)
}

/** The first instant of a local day, given as days since 1970-01-01; where midnight is skipped, the first after it. */
export function startOfDay(zone: Zone, days: number): number {
  const local = days * day
  const [first] = zone.instantsOf(local)
  return first ?? local - zone.offsetAt(local - day)
}

const texts = new Map<number, string>()
/** More than the starts and ends of sessions that can be booked. */
const textsKept = 20_000

/** An instant in ISO 8601, in UTC. Those of sessions recur, and writing one is much slower than finding it. */
export function instantText(instant: number): string {
  let text = texts.get(instant)
  if (text === undefined) {
    if (texts.size >= textsKept) texts.clear()
    text = new Date(instant).toISOString()
    texts.set(instant, text)
  }
  return text
}

/** `YYYY-MM-DD HH:mm` on the zone's clocks. */
export function localText(zone: Zone, instant: number): string {
  const text = instantText(instant + zone.offsetAt(instant))
  return `${text.slice(0, 10)} ${text.slice(11, 16)}`
}
