import type { ReactNode } from 'react'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'

/** One thing about the account on a page of its own, with the way back. */
export function AccountPart({
  title,
  lead,
  children,
}: {
  title: string
  lead?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="page max-w-2xl">
      <PageHeading
        above={<Breadcrumbs items={[{ label: 'Account', to: '/account' }, { label: title }]} />}
        title={title}
        lead={lead}
      />
      {children}
    </div>
  )
}
