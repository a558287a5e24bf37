import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Family, hostilePdfs, hostilePictures, hostileVideos } from '#test/hostile-files.ts'
import { inspectFile } from './inspect.ts'
import { drawDocument, drawPortrait } from './pictures.ts'

/*
 * The time of a checker grows at most linearly with the size of a file, for every content. The ratio counts, not the time
 * itself, so that a slow machine passes: sixteen times the bytes may take sixteen times as long, and some more for noise.
 * Quadratic work would take 256 times as long.
 */
const sizes = [1, 4, 16].map((size) => size * 1024 * 1024)
const perByte = 4
/** What is quicker than this at 16 MB is not measured well enough to be divided, and does no harm. Milliseconds. */
const negligible = 150

const directory = mkdtempSync(join(tmpdir(), 'hearth-growth-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const quiet = (work: (path: string) => Promise<unknown>) => (path: string) =>
  work(path).then(
    () => undefined,
    () => undefined,
  )

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

async function expectLinear(family: Family, check: (path: string) => Promise<unknown>): Promise<void> {
  const paths = sizes.map((size) => join(directory, String(size)))
  for (const [index, path] of paths.entries()) writeFileSync(path, family(sizes[index] ?? 0))
  await check(paths[0] ?? '')
  const runs: number[][] = paths.map(() => [])
  const times = () => runs.map(median)
  const isLinear = () => {
    const [small = 0, middle = 0, large = 0] = times()
    return large < negligible || (large / small < 16 * perByte && large / middle < 4 * perByte)
  }
  // A machine that is busy with something else for a moment is asked again.
  for (let run = 0; run < 5 && (run === 0 || !isLinear()); run++) {
    for (const [index, path] of paths.entries()) runs[index]?.push(await timeOf(() => check(path)))
  }
  expect(isLinear(), `${times().map(Math.round).join(', ')} ms at 1, 4 and 16 MB`).toBe(true)
}

describe('looking through a PDF takes time in proportion to its size when it is full of', () => {
  test.each(Object.entries(hostilePdfs))('%s', (_name, family) => expectLinear(family, inspectFile))
})

describe('reading a picture takes time in proportion to its size when it is full of', () => {
  test.each(Object.entries(hostilePictures))('%s', async (_name, family) => {
    await expectLinear(family, inspectFile)
    await expectLinear(family, quiet(drawDocument))
    if (process.env['ENDURANCE'] === 'full') await expectLinear(family, quiet(drawPortrait))
  })
})

describe('reading a video takes time in proportion to its size when it is full of', () => {
  test.each(Object.entries(hostileVideos))('%s', (_name, family) => expectLinear(family, inspectFile))
})
