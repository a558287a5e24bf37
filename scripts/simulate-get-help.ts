// Plays a day of 'Get help right now' on the product itself, in memory, and prints what came of it.
// --practitioners 24 --clients 160 --seed 1
import { parseArgs } from 'node:util'
import { simulateDay } from '../bench/help-day.ts'
import { reportOf } from '../bench/help-report.ts'

const { values } = parseArgs({
  options: {
    practitioners: { type: 'string', default: '24' },
    clients: { type: 'string', default: '160' },
    seed: { type: 'string', default: '1' },
  },
})
const began = performance.now()
const day = await simulateDay({
  practitioners: Number(values.practitioners),
  clients: Number(values.clients),
  seed: Number(values.seed),
  from: 0,
  to: 24,
})
console.log(reportOf(day))
console.log(`\nA day in ${Math.round((performance.now() - began) / 1000)} s, seed ${values.seed}.`)
process.exit(day.wrong === 0 ? 0 : 1)
