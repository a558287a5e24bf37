/** What the statistics of the own sending say at one time. Undefined where the browser does not know yet. */
export type NetworkSample = {
  /** Epoch milliseconds. */
  at: number
  /** Share of the own packets that did not arrive, 0 to 1. */
  loss: number | undefined
  /** What can be sent, in kb/s. */
  available: number | undefined
}

export type NetworkState = {
  /** Since when every sample has been poor, in epoch milliseconds; undefined if the last one was not. */
  poorSince: number | undefined
  /** It has been poor for long enough that the own camera should go off. */
  isWeak: boolean
}

export const steadyNetwork: NetworkState = { poorSince: undefined, isWeak: false }

/** Above this share of lost packets a network is poor. */
const poorLoss = 0.08
/** Below this it is too, in kb/s. */
const poorRate = 150
/** How long it has to be poor, in milliseconds. */
const weakAfter = 6000
/** Samples this far apart leave unknown what was between them, such as while the device slept. */
const longestGap = 10_000

/** The state after another sample. */
export function networkAfter(
  state: NetworkState,
  sample: NetworkSample,
  previousAt = sample.at,
): NetworkState {
  if (!isPoor(sample)) return steadyNetwork
  const isBroken = sample.at - previousAt > longestGap
  const poorSince = isBroken ? sample.at : (state.poorSince ?? sample.at)
  return { poorSince, isWeak: sample.at - poorSince >= weakAfter }
}

function isPoor({ loss, available }: NetworkSample): boolean {
  return (loss !== undefined && loss > poorLoss) || (available !== undefined && available < poorRate)
}

/** The parts of `RTCStatsReport` that are read here. */
export type Statistic = { type: string; id: string } & Record<string, unknown>

/** The sample that a report of statistics holds. */
export function sampleOf(report: Iterable<Statistic>, at: number): NetworkSample {
  const losses: number[] = []
  let available: number | undefined
  let selected: unknown
  const pairs = new Map<string, Statistic>()
  for (const each of report) {
    if (each.type === 'remote-inbound-rtp' && typeof each.fractionLost === 'number')
      losses.push(each.fractionLost)
    if (each.type === 'transport') selected = each.selectedCandidatePairId ?? selected
    if (each.type === 'candidate-pair') pairs.set(each.id, each)
  }
  const pair =
    (typeof selected === 'string' ? pairs.get(selected) : undefined) ??
    [...pairs.values()].find(({ nominated, state }) => nominated === true && state === 'succeeded')
  if (typeof pair?.availableOutgoingBitrate === 'number') available = pair.availableOutgoingBitrate / 1000
  return { at, loss: losses.length > 0 ? Math.max(...losses) : undefined, available }
}
