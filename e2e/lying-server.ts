import { randomBytes } from 'node:crypto'
import type { Page, WebSocketRoute } from '@playwright/test'
import { createSignalStream, type Frame } from '#web/features/rooms/signal-stream.ts'
import { fingerprintBytes } from '#web/features/rooms/verification-words.ts'
import { exchangeWords, type WordSignal } from '#web/features/rooms/word-exchange.ts'

type Side = 'client' | 'practitioner'
type Body = WordSignal | { kind: 'description' | 'candidate' }
type Data = Frame<Body> & { practitioner: number; client: number }
type Signal = { appointment_id: string; to: string; from: string; kind: string; n: number; data: Data }

/** How the server treats the signals of the two people. */
export type Treatment =
  | 'forwards'
  /** It changes what the practitioner reveals. */
  | 'alters the reveal'
  /** It connects with each of the two in place of the other, by certificates of its own, and passes media on. */
  | 'sits in between'

/**
 * Puts a lying server between two people and the real one.
 * @param middle a page of a third party, in which the server holds its own connections
 */
export async function lyingServer(pages: Record<Side, Page>, middle: Page) {
  let treatment: Treatment = 'forwards'
  const parties: Partial<Record<Side, Promise<Party>>> = {}
  await middle.exposeFunction('sendTo', async (side: Side, body: Body) => (await parties[side])?.send(body))
  await middle.evaluate(holdConnections)

  for (const side of ['client', 'practitioner'] as const) {
    await pages[side].routeWebSocket(/\/socket\//, (page) => {
      const server = page.connectToServer()
      server.onMessage((frame) => {
        const text = String(frame)
        const isAltered = treatment === 'alters the reveal' && side === 'client'
        page.send(isAltered ? text.replace(/("kind":"reveal","nonce":")[^"]{4}/, '$10000') : text)
      })
      page.onMessage((frame) => {
        const [, number, json] = /^42(\d+)(\["signal",.*)$/s.exec(String(frame)) ?? []
        if (treatment !== 'sits in between' || json === undefined) return server.send(frame)
        const [, signal] = JSON.parse(json) as ['signal', Signal]
        page.send(`43${number}[{"ok":true}]`)
        parties[side] ??= meet(side, signal, page, middle)
        void parties[side].then((party) => party.receive(signal.data))
      })
    })
  }
  return {
    treats(as: Treatment): void {
      treatment = as
    },
  }
}

type Party = { send(body: Body): void; receive(data: Data): void }

/** The server's own connection with one of the two, as the other one. */
async function meet(side: Side, first: Signal, socket: WebSocketRoute, middle: Page): Promise<Party> {
  const { appointment_id, to: from, from: to } = first
  const pair = { practitioner: first.data.practitioner, client: first.data.client }
  pair[side === 'client' ? 'practitioner' : 'client'] = Date.now()
  const stream = createSignalStream<Body>({
    send: (frame) => {
      const { n } = frame
      const signal = {
        appointment_id,
        to,
        from,
        n,
        kind: frame.body?.kind ?? 'ack',
        data: { ...pair, ...frame },
      }
      socket.send(`42${JSON.stringify(['signal', signal])}`)
    },
    deliver: (body) => {
      if (body.kind === 'commit' || body.kind === 'reveal') void exchange.receive(body)
      else void middle.evaluate(`receive(${JSON.stringify([side, body])})`)
    },
  })
  const fingerprint: string = await middle.evaluate(`open(${JSON.stringify(side)})`)
  const exchange = exchangeWords({
    appointmentId: appointment_id,
    side: side === 'client' ? 'practitioner' : 'client',
    fingerprint: fingerprintBytes(fingerprint),
    nonce: new Uint8Array(randomBytes(32)),
    send: (signal) => stream.send(signal),
    onWords: () => undefined,
    onMismatch: () => undefined,
  })
  await exchange.start()
  if (side === 'client') await middle.evaluate(`offer('client')`)
  return {
    send: (body) => stream.send(body),
    receive: (data) => {
      if (data.practitioner === pair.practitioner) stream.receive(data)
    },
  }
}

/** Runs in the page in the middle: a connection with each of the two, which receives what the other one sends. */
const holdConnections = `(() => {
  const legs = {}
  const otherOf = { client: 'practitioner', practitioner: 'client' }
  let queue = Promise.resolve()
  globalThis.open = async (side) => {
    const certificate = await RTCPeerConnection.generateCertificate({ name: 'ECDSA', namedCurve: 'P-256' })
    const connection = new RTCPeerConnection({ certificates: [certificate], bundlePolicy: 'max-bundle' })
    const leg = { connection, channel: connection.createDataChannel('state', { negotiated: true, id: 0 }), tracks: {} }
    legs[side] = leg
    connection.onicecandidate = ({ candidate }) =>
      candidate && sendTo(side, { kind: 'candidate', candidate: candidate.toJSON() })
    connection.ontrack = ({ track }) => {
      leg.tracks[track.kind] = track
      passOn()
    }
    leg.channel.onmessage = ({ data }) => {
      leg.state = data
      passOn()
    }
    leg.channel.onopen = passOn
    return certificate.getFingerprints()[0].value
  }
  const passOn = () => {
    for (const [side, { connection, channel }] of Object.entries(legs)) {
      const other = legs[otherOf[side]]
      if (!other) continue
      for (const { sender, receiver } of connection.getTransceivers()) {
        const track = other.tracks[receiver.track.kind]
        if (track && sender.track !== track) void sender.replaceTrack(track)
      }
      if (channel.readyState === 'open' && other.state) channel.send(other.state)
    }
  }
  const describe = async (side) => {
    const { connection } = legs[side]
    await connection.setLocalDescription()
    void sendTo(side, { kind: 'description', description: connection.localDescription.toJSON() })
  }
  globalThis.offer = async (side) => {
    for (const kind of ['audio', 'video']) legs[side].connection.addTransceiver(kind, { direction: 'sendrecv' })
    await describe(side)
  }
  globalThis.receive = ([side, body]) => {
    queue = queue.then(async () => {
      const { connection } = legs[side]
      if (body.kind === 'candidate') return connection.addIceCandidate(body.candidate)
      await connection.setRemoteDescription(body.description)
      if (body.description.type === 'offer') {
        for (const transceiver of connection.getTransceivers()) transceiver.direction = 'sendrecv'
        await describe(side)
      }
      passOn()
    })
    return queue
  }
})()`
