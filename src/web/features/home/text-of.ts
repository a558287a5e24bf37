import { isValidElement, type ReactNode } from 'react'

/** Returns the text of rendered content, without markup. */
export function textOf(node: ReactNode): string {
  return pieces(node).join('').replace(/\s+/g, ' ').trim()
}

function pieces(node: ReactNode): string[] {
  if (typeof node === 'string' || typeof node === 'number') return [String(node)]
  if (Array.isArray(node)) return node.flatMap((each: ReactNode) => pieces(each))
  if (!isValidElement<{ children?: ReactNode }>(node)) return []
  const inside = pieces(node.props.children)
  return node.type === 'p' || node.type === 'li' ? [...inside, ' '] : inside
}
