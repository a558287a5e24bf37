import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { saveFile } from './save-file.ts'

let downloads: string[]
const share = vi.fn<(data: { files: File[] }) => Promise<void>>()

beforeEach(() => {
  downloads = []
  share.mockReset().mockResolvedValue()
  const link = { download: '', click: () => downloads.push(link.download) }
  vi.stubGlobal('document', { createElement: () => link })
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const save = () => saveFile('invoice.pdf', new Blob(['%PDF'], { type: 'application/pdf' }))
const openIn = (navigator: object) => vi.stubGlobal('navigator', navigator)
const fails = (name: string) => share.mockRejectedValue(new DOMException('No.', name))

test('a browser downloads a file, also if it could share it', async () => {
  openIn({ canShare: () => true, share })
  expect(await save()).toBe(true)
  openIn({ standalone: false, canShare: () => true, share })
  await save()
  expect(downloads).toEqual(['invoice.pdf', 'invoice.pdf'])
  expect(share).not.toHaveBeenCalled()
})

test('an app from the home screen of an iPhone shares a file under its name and type', async () => {
  openIn({ standalone: true, canShare: () => true, share })
  expect(await save()).toBe(true)
  const [file] = share.mock.calls[0]?.[0].files ?? []
  expect([file?.name, file?.type, await file?.text()]).toEqual(['invoice.pdf', 'application/pdf', '%PDF'])
  expect(downloads).toEqual([])
})

test('an app downloads a file that it cannot share', async () => {
  openIn({ standalone: true })
  await save()
  openIn({ standalone: true, canShare: () => false, share })
  await save()
  expect(downloads).toHaveLength(2)
  expect(share).not.toHaveBeenCalled()
})

test('an app downloads a file if it was fetched for too long after the press to be shared', async () => {
  openIn({ standalone: true, canShare: () => true, share })
  fails('NotAllowedError')
  expect(await save()).toBe(true)
  expect(downloads).toEqual(['invoice.pdf'])
})

test('a file is not saved, and nothing fails, if its person closes the sheet', async () => {
  openIn({ standalone: true, canShare: () => true, share })
  fails('AbortError')
  expect(await save()).toBe(false)
  expect(downloads).toEqual([])
})
