import { expect, test } from 'vitest'
import { commitmentOf, toHex, type WordShare } from './verification-words.ts'
import { exchangeWords, type WordSignal } from './word-exchange.ts'

const appointmentId = '11111111-1111-4111-8111-111111111111'
const share = (fill: number): WordShare => ({
  fingerprint: new Uint8Array(32).fill(fill),
  nonce: new Uint8Array(32).fill(fill + 100),
})

/** One side, with what it sent and how it ended. */
function sideOf(side: 'practitioner' | 'client', own: WordShare) {
  const sent: WordSignal[] = []
  const endings: (string[] | 'mismatch')[] = []
  const exchange = exchangeWords({
    appointmentId,
    side,
    ...own,
    send: (signal) => sent.push(signal),
    onWords: (words) => endings.push(words),
    onMismatch: () => endings.push('mismatch'),
  })
  return { ...exchange, own, sent, endings }
}

type Side = ReturnType<typeof sideOf>

/** Carries what each has sent to the other until nothing is left. */
async function carry(a: Side, b: Side): Promise<void> {
  await a.start()
  await b.start()
  while (a.sent.length + b.sent.length > 0) {
    for (const signal of a.sent.splice(0)) await b.receive(signal)
    for (const signal of b.sent.splice(0)) await a.receive(signal)
  }
}

test('both sides come to the same four words', async () => {
  const practitioner = sideOf('practitioner', share(1))
  const client = sideOf('client', share(2))
  await carry(practitioner, client)
  expect([...practitioner.endings, ...client.endings]).toEqual([])
  await practitioner.connectedTo(client.own.fingerprint)
  await client.connectedTo(practitioner.own.fingerprint)
  expect(practitioner.endings).toHaveLength(1)
  expect(practitioner.endings[0]).toHaveLength(4)
  expect(client.endings).toEqual(practitioner.endings)
})

test('the words are the same when the connection is there before the signals', async () => {
  const practitioner = sideOf('practitioner', share(1))
  const client = sideOf('client', share(2))
  await practitioner.connectedTo(client.own.fingerprint)
  await client.connectedTo(practitioner.own.fingerprint)
  await carry(practitioner, client)
  expect(practitioner.endings[0]).toHaveLength(4)
  expect(client.endings).toEqual(practitioner.endings)
})

test('the practitioner commits first and reveals last', async () => {
  const practitioner = sideOf('practitioner', share(1))
  await practitioner.start()
  expect(practitioner.sent.splice(0)).toEqual([
    { kind: 'commit', commitment: toHex(await commitmentOf(share(1))) },
  ])
  await practitioner.receive({ kind: 'reveal', nonce: toHex(share(2).nonce) })
  expect(practitioner.sent).toEqual([{ kind: 'reveal', nonce: toHex(share(1).nonce) }])
})

test('a client reveals nothing before the commitment', async () => {
  const client = sideOf('client', share(2))
  await client.start()
  await client.connectedTo(share(1).fingerprint)
  expect(client.sent).toEqual([])
})

test('a party in between that has its own certificates makes other words', async () => {
  const practitioner = sideOf('practitioner', share(1))
  const client = sideOf('client', share(2))
  const asClient = sideOf('client', share(3))
  const asPractitioner = sideOf('practitioner', share(4))
  await carry(practitioner, asClient)
  await carry(asPractitioner, client)
  await practitioner.connectedTo(asClient.own.fingerprint)
  await client.connectedTo(asPractitioner.own.fingerprint)
  expect(practitioner.endings[0]).toHaveLength(4)
  expect(client.endings[0]).toHaveLength(4)
  expect(client.endings).not.toEqual(practitioner.endings)
})

const commitment = async () => toHex(await commitmentOf(share(1)))
const nonce = (fill: number) => ({ kind: 'reveal', nonce: toHex(share(fill).nonce) }) as const

test.each<[string, () => Promise<WordSignal[]>]>([
  ['a reveal before the commitment', async () => [nonce(1)]],
  [
    'a reveal that was not committed to',
    async () => [{ kind: 'commit', commitment: await commitment() }, nonce(3)],
  ],
  [
    'a second, different reveal',
    async () => [{ kind: 'commit', commitment: await commitment() }, nonce(3), nonce(1)],
  ],
  [
    'a commitment changed after the own reveal',
    async () => [
      { kind: 'commit', commitment: await commitment() },
      { kind: 'commit', commitment: toHex(await commitmentOf(share(3))) },
    ],
  ],
  [
    'a reveal that is not 32 bytes',
    async () => [
      { kind: 'commit', commitment: await commitment() },
      { kind: 'reveal', nonce: 'abc' },
    ],
  ],
])('a client refuses %s, once and for good', async (_, signals) => {
  const client = sideOf('client', share(2))
  for (const signal of await signals()) await client.receive(signal)
  await client.connectedTo(share(1).fingerprint)
  expect(client.endings).toEqual(['mismatch'])
  await client.receive(nonce(1))
  expect(client.endings).toEqual(['mismatch'])
})

test('a client refuses a connection with another certificate than the committed one', async () => {
  const client = sideOf('client', share(2))
  await client.receive({ kind: 'commit', commitment: await commitment() })
  await client.receive(nonce(1))
  await client.connectedTo(share(4).fingerprint)
  expect(client.endings).toEqual(['mismatch'])
})

test('a connection that changes its certificate after the words is refused', async () => {
  const practitioner = sideOf('practitioner', share(1))
  const client = sideOf('client', share(2))
  await carry(practitioner, client)
  await practitioner.connectedTo(client.own.fingerprint)
  await practitioner.connectedTo(client.own.fingerprint)
  expect(practitioner.endings).toHaveLength(1)
  await practitioner.connectedTo(share(3).fingerprint)
  await practitioner.connectedTo(client.own.fingerprint)
  expect(practitioner.endings.slice(1)).toEqual(['mismatch'])
})

test('a practitioner refuses a commitment and a second nonce', async () => {
  const committed = sideOf('practitioner', share(1))
  await committed.receive({ kind: 'commit', commitment: await commitment() })
  expect(committed.endings).toEqual(['mismatch'])
  const revealed = sideOf('practitioner', share(1))
  await revealed.receive(nonce(2))
  await revealed.receive(nonce(3))
  expect(revealed.endings).toEqual(['mismatch'])
})

test('the same signal twice changes nothing', async () => {
  const client = sideOf('client', share(2))
  const signals = [{ kind: 'commit', commitment: await commitment() } as const, nonce(1)]
  for (const signal of [...signals, ...signals]) await client.receive(signal)
  await client.connectedTo(share(1).fingerprint)
  expect(client.sent).toHaveLength(1)
  expect(client.endings).toHaveLength(1)
  expect(client.endings[0]).toHaveLength(4)
})
