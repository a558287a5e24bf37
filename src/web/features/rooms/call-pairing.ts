/**
 * Which connection of the practitioner belongs to which of the client, by number; 0 where it is not known yet. Numbers of a
 * side rise. A side that reloads its page, or gives a connection up, begins another one, and the other side follows.
 */
export type Pairing = { practitioner: number; client: number }

/**
 * What to do about a signal: `take` it; `begin` another own connection and leave it; `follow`, with another own connection
 * that takes it; or `ignore` it, since it is meant for a connection that is gone.
 */
export type Reception = { act: 'take' | 'begin' | 'follow' | 'ignore'; pairing: Pairing }

/**
 * On the practitioner's side, which makes every offer: another connection of the client needs another own one.
 * @param signal as the client's side knows the pair
 * @param next the number of another own connection
 */
export function practitionerReceives(own: Pairing, signal: Pairing, next: number): Reception {
  if (signal.client < own.client) return { act: 'ignore', pairing: own }
  const isNews = signal.client > own.client
  if (isNews && own.client !== 0) {
    return { act: 'begin', pairing: { practitioner: next, client: signal.client } }
  }
  const pairing = isNews ? { ...own, client: signal.client } : own
  return { act: signal.practitioner === own.practitioner ? 'take' : 'ignore', pairing }
}

/** On the client's side, which answers. @param signal as the practitioner's side knows the pair */
export function clientReceives(own: Pairing, signal: Pairing): Reception {
  const isForAnother = signal.client !== 0 && signal.client !== own.client
  if (isForAnother || signal.practitioner < own.practitioner) return { act: 'ignore', pairing: own }
  if (signal.practitioner === own.practitioner) return { act: 'take', pairing: own }
  const pairing = { ...own, practitioner: signal.practitioner }
  return { act: own.practitioner === 0 ? 'take' : 'follow', pairing }
}
