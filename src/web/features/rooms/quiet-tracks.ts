import type { Statistic } from './weak-network.ts'

/** What an own track has given so far. */
type Source = { id: unknown; amount: number }
type Watched = Source & {
  /** Since when it has given nothing more, in epoch milliseconds. */
  quietSince: number
  /** How often it was taken again without giving anything. */
  renewals: number
}
export type TrackKind = 'audio' | 'video'
export type TrackWatch = { at: number } & Partial<Record<TrackKind, Watched>>

/** Without sound or pictures for this long a track is taken again, in milliseconds. */
const quietFor = 5000
/** A device that still gives nothing after so many is left alone. */
const maxRenewals = 2
/** Reports this far apart leave unknown what was between them, such as while the device slept. */
const longestGap = 10_000

/**
 * The watch after another report of statistics, and the kinds whose track gives nothing: phones take devices away without
 * ending the track. Even a silent room gives noise.
 */
export function watchTracks(
  watch: TrackWatch | undefined,
  report: Iterable<Statistic>,
  at: number,
): { watch: TrackWatch; quiet: TrackKind[] } {
  const sources = sourcesIn(report)
  const next: TrackWatch = { at }
  const quiet: TrackKind[] = []
  for (const kind of ['audio', 'video'] as const) {
    const source = sources[kind]
    if (!source) continue
    const before = watch?.[kind]
    const isAnother = before?.id !== source.id
    const hasGiven = before !== undefined && !isAnother && source.amount !== before.amount
    const isBroken = watch !== undefined && at - watch.at > longestGap
    const watched: Watched = {
      ...source,
      quietSince: !before || isAnother || hasGiven || isBroken ? at : before.quietSince,
      renewals: hasGiven ? 0 : (before?.renewals ?? 0),
    }
    if (at - watched.quietSince >= quietFor && watched.renewals < maxRenewals) {
      quiet.push(kind)
      watched.renewals += 1
      watched.quietSince = at
    }
    next[kind] = watched
  }
  return { watch: next, quiet }
}

/** Own tracks by kind, as far as the browser counts what they give. */
function sourcesIn(report: Iterable<Statistic>): Partial<Record<TrackKind, Source>> {
  const sources: Partial<Record<TrackKind, Source>> = {}
  for (const each of report) {
    if (each.type !== 'media-source') continue
    const { kind, trackIdentifier: id, totalAudioEnergy, frames } = each
    const amount = kind === 'audio' ? totalAudioEnergy : frames
    if ((kind === 'audio' || kind === 'video') && typeof amount === 'number') sources[kind] = { id, amount }
  }
  return sources
}
