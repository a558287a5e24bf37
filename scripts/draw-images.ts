// Draws the pictures that others show of the product: icons of an installed one, and the picture of a shared link.
// Needs a product that runs, whose page and typefaces it borrows: `node scripts/draw-images.ts http://127.0.0.1:3000`.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { findChromium } from './find-chromium.ts'

const [origin = 'http://127.0.0.1:3000'] = process.argv.slice(2)
const publicFolder = fileURLToPath(new URL('../src/web/public/', import.meta.url))
const paper = '#faf5ec'

const mark = readFileSync(`${publicFolder}favicon.svg`)
/** The mark on paper; what is cut to a circle keeps a fifth on each side free. */
async function icon(name: string, size: number, share: number): Promise<void> {
  const inner = Math.round(size * share)
  const drawn = await sharp(mark, { density: 72 * (inner / 34) })
    .resize(inner, inner)
    .toBuffer()
  await sharp({ create: { width: size, height: size, channels: 3, background: paper } })
    .composite([{ input: drawn }])
    .png({ palette: true, compressionLevel: 9 })
    .toFile(`${publicFolder}icons/${name}.png`)
}
await icon('192', 192, 0.8)
await icon('512', 512, 0.8)
await icon('maskable', 512, 0.56)
await icon('apple-touch', 180, 0.72)

const executablePath = findChromium()
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: ['--no-sandbox'],
})
const page = await browser.newPage({
  viewport: { width: 1200, height: 630 },
  colorScheme: 'light',
  bypassCSP: true,
  reducedMotion: 'reduce',
})
// Alive, the page would put itself back.
await page.route('**/assets/*.js', (route) => route.abort())
await page.goto(origin)
await page.evaluate(`(() => {
  const people = document.querySelector('main section svg').outerHTML
  const logo = document.querySelector('header a svg').outerHTML
  document.body.innerHTML = '<div style="display:grid;grid-template-columns:1fr 560px;align-items:center;width:1200px;height:630px;padding:0 40px 0 80px;box-sizing:border-box;background:var(--color-paper)">' +
    '<div><div style="display:flex;align-items:center;gap:18px"><span style="display:block;width:72px">' + logo + '</span><span style="font:500 56px var(--font-serif)">Hearth</span></div>' +
    '<p style="font:480 46px/1.15 var(--font-serif);margin-top:34px;letter-spacing:-.014em">Somebody to talk to, when you are ready</p>' +
    '<p style="font-size:25px;line-height:1.4;margin-top:20px;color:var(--color-soft)">Vetted therapists and psychiatrists in the UK</p></div>' + people + '</div>'
  for (const svg of document.querySelectorAll('div > svg, span > svg')) svg.setAttribute('style', 'width:100%;height:auto')
})()`)
const shot = await page.screenshot()
await browser.close()
await sharp(shot)
  .png({ palette: true, colours: 128, compressionLevel: 9 })
  .toFile(`${publicFolder}icons/share.png`)
