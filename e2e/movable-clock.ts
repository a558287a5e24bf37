// Loaded into a journey's own server before the product. The journey moves the clock of the whole process on: that of the
// product, of its embedded database and of the `Date` header, by which pages set theirs.
import { ServerResponse } from 'node:http'

export type ClockMove = { aheadMs: number }

const SystemDate = Date
const systemNow = Date.now
let aheadMs = 0
const now = () => systemNow() + aheadMs

SystemDate.now = now
globalThis.Date = new Proxy(SystemDate, {
  apply: () => new SystemDate(now()).toString(),
  construct: (target, given: [], made) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, made) as Date,
})
Object.defineProperty(SystemDate.prototype, 'constructor', { value: globalThis.Date })

const { writeHead } = ServerResponse.prototype
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...given: unknown[]) {
  this.setHeader('date', new Date().toUTCString())
  return Reflect.apply(writeHead, this, given) as ServerResponse
}

process.on('message', (message: Partial<ClockMove>) => {
  aheadMs = message.aheadMs ?? aheadMs
})
