import { isValidElement, type ReactNode } from 'react'

/** The words of some content, as a reader without pictures gets them. */
export function wordsOf(node: ReactNode): string {
  return pieces(node).join('').replace(/\s+/g, ' ').trim()
}

function pieces(node: ReactNode): string[] {
  if (typeof node === 'string' || typeof node === 'number') return [String(node)]
  if (Array.isArray(node)) return node.flatMap((each: ReactNode) => pieces(each))
  if (!isValidElement<{ children?: ReactNode }>(node)) return []
  const inside = pieces(node.props.children)
  return node.type === 'p' || node.type === 'li' ? [...inside, ' '] : inside
}
