import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

/** Chromium as people use it, or the same without windows, which needs a fifth less of the processor. */
type Kind = 'whole' | 'shell'

const names: Record<Kind, string[]> = {
  whole: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome.exe'],
  shell: ['chromium-headless-shell'],
}
const usual = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

export const installChromium =
  'Chromium was not found. Install it (on Debian: apt-get install chromium; elsewhere: npx playwright install chromium), or set CHROME_PATH.'

/** Where Chromium is: `CHROME_PATH`, the usual places, or freshly installed; nothing when it cannot be had. */
export function findChromium(kind: Kind): string | undefined {
  return findInstalledChromium(kind) ?? (install(kind) ? findInstalledChromium(kind) : undefined)
}

/** Where Chromium is by now, the other kind where this one is not there; nothing is installed. */
export function findInstalledChromium(kind: Kind): string | undefined {
  const onPath = (each: Kind) =>
    (process.env.PATH ?? '')
      .split(delimiter)
      .filter(Boolean)
      .flatMap((folder) => names[each].map((name) => join(folder, name)))
  const whole = [...onPath('whole'), ...usual, chromium.executablePath()]
  const places = kind === 'shell' ? [...onPath('shell'), ...whole] : [...whole, ...onPath('shell')]
  return [process.env.CHROME_PATH, ...places].find(
    (path) => path !== undefined && path !== '' && existsSync(path),
  )
}

function install(kind: Kind): boolean {
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (!asRoot) {
    return succeeds(process.execPath, [
      join('node_modules', '@playwright', 'test', 'cli.js'),
      'install',
      'chromium',
    ])
  }
  const get = (name: string) => succeeds('apt-get', ['install', '-y', '--no-install-recommends', name])
  // Not every release has a package of the shell.
  return (
    succeeds('apt-get', ['update']) &&
    ((kind === 'shell' && get('chromium-headless-shell')) || get('chromium'))
  )
}

function succeeds(command: string, parameters: string[]): boolean {
  try {
    execFileSync(command, parameters, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    return true
  } catch {
    return false
  }
}
