/**
 * The choice of light or dark, as an inline script at the start of every page, so that no page is shown in the wrong one
 * first. It is also what keeps the choice: the switch in the footer works before the page is alive. The policy names it
 * by its hash.
 */
export const themeScript = `(() => {
  const root = document.documentElement
  const show = (theme) => {
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
    else delete root.dataset.theme
    for (const meta of document.querySelectorAll('meta[name=theme-color]')) {
      const isDark = meta.media.includes('dark')
      const own = isDark ? '#161b19' : '#faf5ec'
      meta.content = theme === 'dark' ? '#161b19' : theme === 'light' ? '#faf5ec' : own
    }
    const choice = document.querySelector('input[name=theme][value=' + (root.dataset.theme ?? 'system') + ']')
    if (choice) choice.checked = true
  }
  const kept = () => {
    try {
      return localStorage.getItem('theme')
    } catch {
      return null
    }
  }
  show(kept())
  addEventListener('DOMContentLoaded', () => show(kept()))
  addEventListener('theme', () => show(kept()))
  addEventListener('storage', (event) => {
    if (event.key === 'theme') show(event.newValue)
  })
  addEventListener('change', ({ target }) => {
    if (target.name !== 'theme') return
    try {
      if (target.value === 'system') localStorage.removeItem('theme')
      else localStorage.setItem('theme', target.value)
    } catch {}
    show(target.value)
  })
})()`.replaceAll(/\n +/g, '\n')
