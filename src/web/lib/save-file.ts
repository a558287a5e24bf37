/**
 * Has the browser save a file, which is sent nowhere. An app from the home screen of an iPhone shows a download with no way
 * back: there the person chooses from a sheet where the file goes. Returns false if they closed the sheet.
 */
export async function saveFile(name: string, content: Blob): Promise<boolean> {
  if ('standalone' in navigator && navigator.standalone === true) {
    const data = { files: [new File([content], name, { type: content.type })] }
    try {
      if (navigator.canShare?.(data)) {
        await navigator.share(data)
        return true
      }
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') return false
      // Refused where the press is too long ago, as after a slow call.
    }
  }
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return true
}
