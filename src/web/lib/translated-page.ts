/** Nodes that stand in the page for a text that a translation has taken out of it, by that text. */
const standIns = new WeakMap<Node, ChildNode>()
/** The texts, by what stands for them. */
const textsOf = new WeakMap<Node, Text>()

/**
 * Keeps a page that the browser translates in step with React. A translation puts an element in the place of each text,
 * and React goes on with the text that it knows: its changes are not seen, and where it takes the text away or puts
 * something before it, the page fails (facebook/react#11538). Here a text that changes takes its place again, to be
 * translated anew, and what stands for a text is treated in its stead.
 */
export function keepTextsInStep(): void {
  const changes = new MutationObserver((records) => {
    for (const { target } of records) putBack(target as Text)
  })
  let isGuarded = false
  const replacements = new MutationObserver((records) => {
    const added = new Set(records.flatMap(({ addedNodes }) => [...addedNodes]))
    for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records) {
      for (const removed of removedNodes) {
        const text = textsOf.get(removed) ?? (removed instanceof Text ? removed : undefined)
        if (!text || text.isConnected || removed.isConnected) continue
        const beside = [previousSibling, nextSibling].filter((node) => node !== null && added.has(node))
        const standIn = [...addedNodes, ...beside].find(
          (node) => isTranslation(node) || (textsOf.has(removed) && node instanceof Text),
        )
        if (!standIn) continue
        standIns.set(text, standIn as ChildNode)
        textsOf.set(standIn, text)
        changes.observe(text, { characterData: true })
        if (!isGuarded) guardTexts()
        isGuarded = true
      }
    }
  })
  replacements.observe(document.documentElement, { childList: true, subtree: true })
}

/** Browsers and their extensions translate into this element, which the product's own pages do not have. */
const isTranslation = (node: Node | null) => node?.nodeName === 'FONT'

function putBack(text: Text): void {
  const standIn = standIns.get(text)
  if (!standIn) return
  standIns.delete(text)
  standIn.replaceWith(text)
}

/** Removes what stands for a text, which is on its way elsewhere or goes for good. */
function removeStandIn(text: Node): void {
  standIns.get(text)?.remove()
  standIns.delete(text)
}

/** Has the calls by which React changes the page treat what stands for a text in its stead. */
function guardTexts(): void {
  const { removeChild, insertBefore, appendChild } = Node.prototype
  Object.assign(Node.prototype, {
    removeChild(this: Node, child: Node) {
      if (child.parentNode === this || !standIns.has(child)) return removeChild.call(this, child)
      removeStandIn(child)
      return child
    },
    insertBefore(this: Node, node: Node, next: Node | null) {
      removeStandIn(node)
      const standIn = next && next.parentNode !== this ? standIns.get(next) : undefined
      return insertBefore.call(this, node, standIn?.parentNode === this ? standIn : next)
    },
    appendChild(this: Node, node: Node) {
      removeStandIn(node)
      return appendChild.call(this, node)
    },
  })
}
