import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { PORTRAIT_SIDE, portraitSvg } from './demo/portrait/draw.ts'
import type { PortraitKey } from './demo/portrait/key.ts'

const sizes = [64, 256, 1024] as const

/** Where a portrait is stored: the same drawing always has the same key, and another never has. */
export function storageKey(portrait: PortraitKey): string {
  return createHash('sha256').update(JSON.stringify(portrait)).digest('hex').slice(0, 24)
}

/**
 * Draws the portraits that are not in the folder yet. Each appears there complete or not at all, so this can be broken
 * off and begun again.
 */
export async function drawPortraits(portraits: readonly PortraitKey[], directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  const waiting = new Map(portraits.map((portrait) => [storageKey(portrait), portrait]))
  for (const key of waiting.keys()) if (existsSync(join(directory, key))) waiting.delete(key)
  if (waiting.size === 0) return
  const unfinished = await mkdtemp(join(directory, '.unfinished-'))
  const next = waiting.entries()
  const work = async () => {
    for (const [key, portrait] of next) {
      const folder = join(unfinished, key)
      await mkdir(folder)
      await drawOne(portraitSvg(portrait), folder)
      await moveInto(join(directory, key), folder)
    }
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work))
  await rm(unfinished, { recursive: true })
}

async function drawOne(svg: string, folder: string): Promise<void> {
  const largest = Math.max(...sizes)
  const { data, info } = await sharp(Buffer.from(svg), { density: (72 * largest) / PORTRAIT_SIDE })
    .resize(largest, largest)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  for (const size of sizes) {
    await sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
      .resize(size, size)
      .webp({ quality: 82, effort: 2 })
      .toFile(join(folder, `${size}.webp`))
  }
}

async function moveInto(target: string, folder: string): Promise<void> {
  try {
    await rename(folder, target)
  } catch (error) {
    // Another instance has drawn the same one meanwhile.
    if (!existsSync(target)) throw error
  }
}
