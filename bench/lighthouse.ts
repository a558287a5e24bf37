import { join } from 'node:path'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import type { PractitionerList } from '#contract/search.ts'
import { drawPortraits } from '#server/db/seed/insert-portraits.ts'
import { localDirectory } from '#server/integrations/object-storage/local.ts'
import { freePort } from '#test/private-cluster.ts'
import { findChromium, installChromium } from '../scripts/find-chromium.ts'
import { inMilliseconds, type Line, timesLine } from './line.ts'
import { serveStaticTwin } from './static-twin.ts'
import type { Stage } from './stage.ts'
import { median } from './statistics.ts'

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** A page takes Lighthouse some ten seconds; more rounds than these say little more. */
const mostRounds = 5

type Seen = { scores: number[]; largestPaint: number }

/** Lighthouse with its mobile settings on four pages, in turns with the same pages as plain files. */
export async function measureLighthouse(stage: Stage): Promise<Line[]> {
  const { origin } = stage.product
  const pages = {
    home: '/',
    results: '/found-therapists?session_type=online',
    profile: '/recommended-therapist?practitionerId=1',
    FAQ: '/frequently-asked-questions',
  }
  await drawShownPortraits(stage)
  const twin = await serveStaticTwin(origin, Object.values(pages))
  const executablePath = findChromium()
  if (!executablePath) throw new Error(installChromium)
  const port = await freePort()
  const browser = await chromium.launch({
    executablePath,
    args: [...flags, `--remote-debugging-port=${port}`],
  })
  const lines: Line[] = []
  try {
    for (const [name, path] of Object.entries(pages)) {
      // The first visit finds all caches cold, and is not measured.
      await look(port, twin.origin + path)
      const own: Seen[] = []
      const plain: Seen[] = []
      for (let round = 0; round < Math.min(stage.rounds, mostRounds); round++) {
        own.push(await look(port, origin + path))
        plain.push(await look(port, twin.origin + path))
      }
      lines.push(...linesOf(name, own, plain))
    }
  } finally {
    await browser.close()
    twin.close()
  }
  return lines
}

function linesOf(name: string, own: readonly Seen[], plain: readonly Seen[]): Line[] {
  const scores = categories.map((_, index) => median(own.map((each) => each.scores[index] ?? 0)))
  const paint = (seen: readonly Seen[]) => median(seen.map((each) => each.largestPaint))
  const times = own.map((each, round) => each.largestPaint / plain[round]!.largestPaint)
  return [
    {
      figure: `Lighthouse, ${name}: performance, accessibility, best practices, SEO`,
      measured: scores.map((score) => Math.round(score * 100)).join(' '),
      baseline: '',
      ratio: '',
      target: 'at least 95 each',
      met: scores.every((score) => score >= 0.95),
    },
    timesLine(
      `largest paint, ${name}, beside a static page of the same content`,
      { measured: inMilliseconds(paint(own)), baseline: inMilliseconds(paint(plain)), times },
      { atMost: 1.3 },
      median(times),
    ),
  ]
}

/** A trace that Chromium lost, as happens on a busy machine, is recorded again, twice at most. */
async function look(port: number, url: string, again = 2): Promise<Seen> {
  const result = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: [...categories],
  })
  const report = result?.lhr
  if (!report || report.runtimeError) {
    if (again > 0) return look(port, url, again - 1)
    throw new Error(`Lighthouse could not look at ${url}: ${report?.runtimeError?.message ?? 'no report'}`)
  }
  return {
    scores: categories.map((category) => report.categories[category]?.score ?? 0),
    largestPaint: report.audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
  }
}

/** The directory was generated without its pictures; those that are looked at are drawn. */
async function drawShownPortraits({ product, people }: Stage): Promise<void> {
  const answer = await fetch(
    `${product.origin}/api/v7/practitioner/get-practitioners?session_type=online&per_page=50`,
  )
  const { data } = (await answer.json()) as PractitionerList
  const shown = new Set([1, ...data.map((card) => card.practitioner_id)])
  await drawPortraits(
    people.flatMap((person) => (shown.has(person.id) && person.portrait ? [person.portrait] : [])),
    join(localDirectory(product.directory), 'portraits'),
  )
}
