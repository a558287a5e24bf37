import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

/** Chromium as people use it, or the same without windows, which needs a fifth less of the processor. */
export type ChromiumKind = 'whole' | 'shell'

const names: Record<ChromiumKind, string[]> = {
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
export function findChromium(): string | undefined {
  return findInstalledChromium('whole') ?? (install() ? findInstalledChromium('whole') : undefined)
}

/** Where Chromium is by now; the whole one where there is no shell. Nothing is installed. */
export function findInstalledChromium(kind: ChromiumKind): string | undefined {
  const onPath = (each: ChromiumKind) =>
    (process.env.PATH ?? '')
      .split(delimiter)
      .filter(Boolean)
      .flatMap((folder) => names[each].map((name) => join(folder, name)))
  return [
    process.env.CHROME_PATH,
    ...(kind === 'shell' ? onPath('shell') : []),
    ...onPath('whole'),
    ...usual,
    chromium.executablePath(),
  ].find((path) => path !== undefined && path !== '' && existsSync(path))
}

function install(): boolean {
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (!asRoot) {
    const tool = join('node_modules', '@playwright', 'test', 'cli.js')
    return succeeds(process.execPath, [tool, 'install', 'chromium'])
  }
  const get = (...packages: string[]) =>
    succeeds('apt-get', ['install', '-y', '--no-install-recommends', ...packages])
  // Not every release has a package of the shell.
  return succeeds('apt-get', ['update']) && (get('chromium', 'chromium-headless-shell') || get('chromium'))
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
