import { gzipSync } from 'node:zlib'
import { requestBytes } from './http-connection.ts'
import { inMilliseconds, type Line, timesLine } from './line.ts'
import type { Stage } from './stage.ts'
import { median } from './statistics.ts'

/** A maximum price above every practitioner's. Each higher one finds the same practitioners under another address. */
const highest = 5000
/** More than are rendered in all rounds. */
const addresses = 20_000
/** What a page may take of a processor, in milliseconds, and how many bytes it may have. */
const target = { milliseconds: 4, bytes: 70_000 }

/** The results page: processor time to render one, its bytes, and how many times its rate one from the cache is answered. */
export async function measurePages(stage: Stage): Promise<Line[]> {
  const address = await canonicalAddress(stage)
  const bytes = await bytesOf(stage, address)
  const others = Array.from({ length: addresses }, (_, turn) => pageRequest(address, highest + 1 + turn))
  const same = [pageRequest(address, highest)]
  await timePerPage(stage, others)
  const rendered: number[] = []
  const cached: number[] = []
  for (let round = 0; round < stage.rounds; round++) {
    rendered.push(await timePerPage(stage, others))
    cached.push(await timePerPage(stage, same))
  }
  const times = rendered.map((each, round) => each / cached[round]!)
  return [
    timesLine(
      'results page rendered: processor time',
      {
        measured: inMilliseconds(median(rendered)),
        baseline: inMilliseconds(target.milliseconds),
        times: rendered.map((each) => each / target.milliseconds),
      },
      { atMost: 1 },
      median(rendered) / target.milliseconds,
    ),
    {
      figure: 'results page: bytes, and by gzip',
      measured: `${kilobytes(bytes.plain)}, ${kilobytes(bytes.gzip)}`,
      baseline: '',
      ratio: '',
      target: `at most ${kilobytes(target.bytes)}`,
      met: bytes.plain <= target.bytes,
    },
    timesLine(
      'anonymous results page from the cache: processor time of a rendered one beside it',
      { measured: inMilliseconds(median(cached)), baseline: inMilliseconds(median(rendered)), times },
      { atLeast: 20 },
      median(times),
    ),
  ]
}

/** The page leads every way of writing a search to the one address of it. */
async function canonicalAddress({ product }: Stage): Promise<string> {
  const { url } = await fetch(
    `${product.origin}/found-therapists?session_type=online&language_id=27&max_price=${highest}`,
  )
  return url.slice(product.origin.length)
}

async function bytesOf({ product }: Stage, address: string) {
  const page = Buffer.from(await (await fetch(product.origin + address)).arrayBuffer())
  return { plain: page.length, gzip: gzipSync(page).length }
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

function pageRequest(address: string, maxPrice: number): Buffer {
  return requestBytes({
    method: 'GET',
    path: address.replace(`max_price=${highest}`, `max_price=${maxPrice}`),
    headers: { accept: 'text/html' },
  })
}

/** What the product's process takes of a processor for a page, in milliseconds. */
async function timePerPage(
  { product, visitors, connections, seconds }: Stage,
  requests: readonly Buffer[],
): Promise<number> {
  const before = product.processorTime()
  const { milliseconds } = await visitors.load({ origin: product.origin, connections, seconds }, requests)
  return (product.processorTime() - before) / milliseconds.length
}
