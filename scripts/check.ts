// Runs every check that is no test, two at a time. A check's output is printed in one piece when it has ended, and only
// if it failed. All of them run, so that one run shows everything that is wrong.
import { spawn } from 'node:child_process'

type Result = { name: string; passed: boolean; seconds: number; output: string }

/** How many run at once: the type check and the linter use several threads themselves. */
const atOnce = 2
/** npm scripts, the slowest first. */
const checks = [
  'lint',
  'generated',
  'types:server',
  'types:web',
  'regexes',
  'unused',
  'structure',
  'words',
  'format:check',
]

// The routes' types are read by the others.
const failed = report(await run('types:routes')) ? [] : ['types:routes']
const waiting = [...checks]
const work = async () => {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (!report(await run(name))) failed.push(name)
  }
}
await Promise.all(Array.from({ length: atOnce }, work))
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}. Run one alone with npm run.`)
process.exit(failed.length === 0 ? 0 : 1)

function run(name: string): Promise<Result> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '--silent', name], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // npm is a batch file there.
      shell: process.platform === 'win32',
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      const seconds = (performance.now() - started) / 1000
      resolve({ name, passed: code === 0, seconds, output: Buffer.concat(chunks).toString() })
    })
  })
}

/** Prints how a check ended. Returns whether it passed. */
function report({ name, passed, seconds, output }: Result): boolean {
  console.log(`${passed ? 'passed' : 'FAILED'}  ${seconds.toFixed(1).padStart(5)} s  ${name}`)
  if (!passed) console.log(output)
  return passed
}
