import { parseArgs } from 'node:util'

export type Options = {
  practitioners: number
  /** How often each pair is measured. */
  rounds: number
  /** How long one side of a pair is measured. */
  seconds: number
  /** Connections to the database, and as many to the product. */
  connections: number
  /** Only parts whose name holds one of these; an empty one is in each. */
  only: string[]
}

/** @throws Error with a sentence for an option that makes no sense */
export function readOptions(given: string[]): Options {
  const { values } = parseArgs({
    args: given,
    options: {
      practitioners: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '6' },
      connections: { type: 'string', default: '8' },
      only: { type: 'string', default: '' },
    },
  })
  const number = (name: 'practitioners' | 'rounds' | 'seconds' | 'connections', least: number) => {
    const value = Number(values[name])
    if (!Number.isInteger(value) || value < least) throw new Error(`--${name} takes a number from ${least}.`)
    return value
  }
  return {
    practitioners: number('practitioners', 500),
    rounds: number('rounds', 1),
    seconds: number('seconds', 1),
    connections: number('connections', 2),
    only: values.only.split(','),
  }
}
