/** What a loop through the relay has measured. Undefined round trip: nothing came back. */
export type LoopResult = { roundTrip: number | undefined; loss: number }

const probes = 40
const probeEvery = 50
const waitFor = 6000

/** What the result means to a person, and how good it is. */
export function networkLabel({ roundTrip, loss }: LoopResult): {
  tone: 'success' | 'warning' | 'danger'
  text: string
} {
  if (roundTrip === undefined || loss > 0.5) {
    return {
      tone: 'danger',
      text: 'We could not reach the relay from here. Another network may help, such as your phone’s.',
    }
  }
  if (loss > 0.08 || roundTrip > 400) {
    return {
      tone: 'warning',
      text: 'Your connection is weak. It goes best without the camera, or nearer to your router.',
    }
  }
  if (loss > 0.02 || roundTrip > 200) {
    return { tone: 'success', text: 'Your connection will do. If it falters, turn the camera off.' }
  }
  return { tone: 'success', text: 'Your connection is good.' }
}

/** Sends packets through the relay and back into this page. Nothing else is reached. */
export async function measureLoop(servers: RTCIceServer[]): Promise<LoopResult> {
  const settings: RTCConfiguration = { iceServers: servers, iceTransportPolicy: 'relay' }
  const near = new RTCPeerConnection(settings)
  const far = new RTCPeerConnection(settings)
  try {
    const channel = near.createDataChannel('loop', { ordered: false, maxRetransmits: 0 })
    far.addEventListener('datachannel', (event) => {
      event.channel.addEventListener('message', ({ data }) => event.channel.send(String(data)))
    })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.addEventListener('icecandidate', ({ candidate }) => {
        if (candidate) void to.addIceCandidate(candidate).catch(() => undefined)
      })
    }
    await near.setLocalDescription()
    if (near.localDescription) await far.setRemoteDescription(near.localDescription)
    await far.setLocalDescription()
    if (far.localDescription) await near.setRemoteDescription(far.localDescription)
    const isOpen = await opened(channel)
    if (!isOpen) return { roundTrip: undefined, loss: 1 }
    return await probe(channel)
  } finally {
    near.close()
    far.close()
  }
}

function opened(channel: RTCDataChannel): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), waitFor)
    channel.addEventListener('open', () => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

async function probe(channel: RTCDataChannel): Promise<LoopResult> {
  const trips: number[] = []
  channel.addEventListener('message', ({ data }) => trips.push(performance.now() - Number(data)))
  for (let sent = 0; sent < probes; sent++) {
    channel.send(String(performance.now()))
    await soon(probeEvery)
  }
  await soon(500)
  trips.sort((a, b) => a - b)
  return { roundTrip: trips[Math.floor(trips.length / 2)], loss: 1 - trips.length / probes }
}

const soon = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
