import type { ReactNode } from 'react'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { accountPath, useAccountRole } from './account-paths.ts'

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
  const base = accountPath(useAccountRole(), 'account')
  return (
    <div className="page max-w-2xl">
      <PageHeading
        above={<Breadcrumbs items={[{ label: 'Account', to: base }, { label: title }]} />}
        title={title}
        lead={lead}
      />
      {children}
    </div>
  )
}
