import type { ReactNode } from 'react'

/** What a practitioner answered, below the review, with what can be done about it. */
export function ReplyBlock({
  title = 'Reply from the practitioner',
  reply,
  children,
}: {
  title?: string
  reply: string
  children?: ReactNode
}) {
  return (
    <div className="mt-1 rounded-lg bg-sunken px-4 py-3">
      <p className="text-sm font-semibold">{title}</p>
      <p className="text-pretty whitespace-pre-line">{reply}</p>
      {children}
    </div>
  )
}
