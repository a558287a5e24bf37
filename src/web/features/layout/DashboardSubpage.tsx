import type { ReactNode } from 'react'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { classes } from '#web/ui/classes.ts'
import { PageHeading, type PageHeadingProps } from '#web/ui/PageHeading.tsx'

type Props = Omit<PageHeadingProps, 'above' | 'title'> & {
  title: string
  /** The page between the dashboard and this one. */
  parent?: { label: string; to: string }
  /** Uses the whole width of the page. */
  isWide?: boolean
  children: ReactNode
}

/** The frame of a page below a practitioner's dashboard: the way back, the title and what the page shows. */
export function DashboardSubpage({ title, parent, isWide, children, ...heading }: Props) {
  return (
    <div className={classes('page pb-16', !isWide && 'max-w-3xl')}>
      <PageHeading
        {...heading}
        above={
          <Breadcrumbs
            items={[
              { label: 'Dashboard', to: '/therapist/dashboard' },
              ...(parent ? [parent] : []),
              { label: title },
            ]}
          />
        }
        title={title}
      />
      {children}
    </div>
  )
}
