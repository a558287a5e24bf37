import type { ReactNode } from 'react'

export type PageHeadingProps = {
  title: ReactNode
  /** One or two sentences: what happens here. */
  lead?: ReactNode
  /** Above the title: breadcrumbs or a way back. */
  above?: ReactNode
  actions?: ReactNode
}

/** The one h1 of a page. After a navigation the focus goes to it. */
export function PageHeading({ title, lead, above, actions }: PageHeadingProps) {
  return (
    <div className="flex flex-col gap-2 pt-6 pb-6 sm:pt-10">
      {above}
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="max-w-2xl">
          <h1 className="text-3xl">{title}</h1>
          {lead && <div className="mt-2 text-lg text-soft">{lead}</div>}
        </div>
        {actions}
      </div>
    </div>
  )
}
