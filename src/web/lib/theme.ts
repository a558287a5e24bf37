/** Whether the page is shown in its dark colours: by the reader's choice, else by the system's. */
export function isDarkShown(): boolean {
  const chosen = document.documentElement.dataset.theme
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
}
