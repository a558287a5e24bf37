import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'

/** Opens the socket of the chat as something that reads a kilobyte a second. */
export async function readSlowly(origin: string, token: string) {
  const { port, hostname } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.write(
    [
      'GET /socket/?EIO=4&transport=websocket HTTP/1.1',
      `Host: ${hostname}:${port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      '\r\n',
    ].join('\r\n'),
  )
  let words = ''
  await new Promise<void>((resolve) => {
    const hear = (chunk: Buffer) => {
      words += chunk.toString('latin1')
      if (words.includes('"sid"')) {
        socket.off('data', hear)
        resolve()
      }
    }
    socket.on('data', hear)
  })
  socket.write(masked(`40${JSON.stringify({ token })}`))
  await new Promise<void>((resolve) => socket.once('data', () => resolve()))
  socket.pause()
  // What is in the kernel's hands is little; from there on it takes a kilobyte at a time.
  const timer = setInterval(() => socket.read(1024), 1000)
  return {
    close: () => {
      clearInterval(timer)
      socket.destroy()
    },
  }
}

/** A text frame as a browser sends it. */
function masked(text: string): Buffer {
  const payload = Buffer.from(text)
  const mask = randomBytes(4)
  const body = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length]), mask, body])
}
