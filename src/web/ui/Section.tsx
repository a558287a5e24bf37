import { type ReactNode, useId } from 'react'
import { Card } from './Card.tsx'

type Props = {
  title: ReactNode
  /** Of the title. */
  size?: keyof typeof sizes
  /** On a sheet of paper of its own. */
  isCard?: boolean
  /** Lets a link point to it. */
  id?: string
  /** Layout only. */
  className?: string
  children: ReactNode
}

const sizes = { xl: 'text-xl', '2xl': 'text-2xl' }

/** A part of a page, named by its title. */
export function Section({ title, size = 'xl', isCard, id, className, children }: Props) {
  const titleId = useId()
  const named = { id, className, 'aria-labelledby': titleId }
  const inside = (
    <>
      <h2 id={titleId} className={sizes[size]}>
        {title}
      </h2>
      {children}
    </>
  )
  if (isCard) {
    return (
      <Card {...named} as="section">
        {inside}
      </Card>
    )
  }
  return <section {...named}>{inside}</section>
}
