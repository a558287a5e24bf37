import type { Compared } from './statistics.ts'

/** A line of the table. */
export type Line = {
  figure: string
  measured: string
  baseline: string
  /** What is held against the target, with the lowest and highest of a round where there were rounds. */
  ratio: string
  target: string
  /** Absent where nothing is asked for. */
  met?: boolean
}

/** A rate compared with another. It has to reach a share of it, if one is given. */
export function rateLine(figure: string, compared: Compared, leastShare?: number): Line {
  return {
    figure,
    measured: perSecond(compared.measured),
    baseline: perSecond(compared.baseline),
    ratio: `${percent(compared.ratio)} (${percent(compared.spread[0])} to ${percent(compared.spread[1])})`,
    target: leastShare === undefined ? '' : `at least ${percent(leastShare)}`,
    ...(leastShare === undefined ? {} : { met: compared.ratio >= leastShare }),
  }
}

/** Something that may be so many times as large as something else. */
export function timesLine(
  figure: string,
  values: { measured: string; baseline: string; times: readonly number[] },
  target: { atMost: number } | { atLeast: number },
  middle: number,
): Line {
  const written = (value: number) => value.toFixed(value < 10 ? 2 : 0)
  const { times } = values
  const spread = times.length > 1 ? ` (${written(Math.min(...times))} to ${written(Math.max(...times))})` : ''
  const met = 'atMost' in target ? middle <= target.atMost : middle >= target.atLeast
  const bound = 'atMost' in target ? `at most ${target.atMost}` : `at least ${target.atLeast}`
  return {
    figure,
    measured: values.measured,
    baseline: values.baseline,
    ratio: `${written(middle)}×${spread}`,
    target: `${bound}×`,
    met,
  }
}

export const perSecond = (rate: number) => `${rate < 100 ? rate.toFixed(1) : Math.round(rate)}/s`
export const inMilliseconds = (value: number) => `${value.toFixed(value < 10 ? 2 : 1)} ms`
const percent = (share: number) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`

/** The table, as Markdown, so that it can be kept as it is. */
export function tableOf(lines: readonly Line[]): string {
  const head = ['Figure', 'Measured', 'Baseline', 'Ratio', 'Target', 'Met']
  const rows = lines.map((line) => [
    line.figure,
    line.measured,
    line.baseline,
    line.ratio,
    line.target,
    line.met === undefined ? '' : line.met ? 'yes' : 'NO',
  ])
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  )
  const written = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [written(head), written(widths.map((width) => '-'.repeat(width))), ...rows.map(written)].join('\n')
}
