import type { Page } from '@playwright/test'

/**
 * Translates a page as browsers and their extensions do, now and whenever it changes: an element takes the place of each
 * text. Each word gets an o at its end.
 */
export async function translate(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const left = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEXTAREA', 'OPTION', 'TITLE', 'FONT'])
    const translateText = (text) => {
      const parent = text.parentNode
      if (!parent || text.data.trim() === '' || left.has(parent.nodeName)) return
      const outer = document.createElement('font')
      const inner = document.createElement('font')
      inner.textContent = text.data.replace(/[a-z]{3,}/gi, (word) => word + 'o')
      outer.append(inner)
      parent.replaceChild(outer, text)
    }
    const translateAll = (root) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts = []
      while (walker.nextNode()) texts.push(walker.currentNode)
      texts.forEach(translateText)
    }
    translateAll(document.body)
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === 'characterData') translateText(target)
        for (const node of addedNodes) node.nodeType === Node.TEXT_NODE ? translateText(node) : translateAll(node)
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })()`)
}
