/** Whether a text is on the clipboard now: a browser may refuse to write there, and gives none to a page that is not secure. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
