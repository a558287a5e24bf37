import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome.exe']
const usual = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

export const installChromium =
  'Chromium was not found. Install it (on Debian: apt-get install chromium; elsewhere: npx playwright install chromium), or set CHROME_PATH.'

/** Where Chromium is: `CHROME_PATH`, the usual places, or freshly installed; nothing when it cannot be had. */
export function findChromium(): string | undefined {
  return findInstalledChromium() ?? (install() ? findInstalledChromium() : undefined)
}

/** Where Chromium is by now; nothing is installed. */
export function findInstalledChromium(): string | undefined {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => names.map((name) => join(folder, name)))
  return [process.env.CHROME_PATH, ...onPath, ...usual, chromium.executablePath()].find(
    (path) => path !== undefined && path !== '' && existsSync(path),
  )
}

function install(): boolean {
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  const steps = asRoot
    ? [
        ['apt-get', 'update'],
        ['apt-get', 'install', '-y', '--no-install-recommends', 'chromium'],
      ]
    : [[process.execPath, join('node_modules', '@playwright', 'test', 'cli.js'), 'install', 'chromium']]
  try {
    for (const [command = '', ...parameters] of steps) {
      execFileSync(command, parameters, {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      })
    }
    return true
  } catch {
    return false
  }
}
