import type { OpenApiDocument } from './types.ts'

/** The document as JSON with a line for each path and each component. */
export function inLines({ paths, components, ...head }: OpenApiDocument): string {
  const start = Object.entries(head).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  )
  const shelves = Object.entries(components).map(
    ([name, shelf]) => `${JSON.stringify(name)}: ${lines(shelf)}`,
  )
  return `{\n${[...start, `"paths": ${lines(paths)}`, `"components": {\n${shelves.join(',\n')}\n}`].join(',\n')}\n}\n`
}

function lines(record: Record<string, unknown>): string {
  const rows = Object.entries(record).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  )
  return `{\n${rows.join(',\n')}\n}`
}
