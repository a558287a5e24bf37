import { useSearchParams } from 'react-router'
import { FindForm } from '#web/features/search/FindForm.tsx'
import { parseFilters } from '#web/features/search/filters.ts'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import type { Route } from './+types/find-therapist.ts'

export const meta: Route.MetaFunction = () => [
  { title: pageTitle('Find a therapist') },
  {
    name: 'description',
    content:
      'Say what matters to you: what it is about, languages, insurance, gender. Looking is free and needs no account.',
  },
]

export default function FindTherapist({ matches }: Route.ComponentProps) {
  const [query] = useSearchParams()
  const isIssueFirst = query.get('filterType') === 'need'
  return (
    <div className="page">
      <div className="mx-auto max-w-2xl">
        <PageHeading
          title={isIssueFirst ? 'What would you like help with?' : 'Who are you looking for?'}
          lead={
            isIssueFirst
              ? 'Choose what it is about. We show you the people who work with it. Everything else can stay open.'
              : 'Answer what matters to you and leave the rest open.'
          }
        />
        <FindForm data={matches[1].loaderData} initial={parseFilters(query)} isIssueFirst={isIssueFirst} />
      </div>
    </div>
  )
}
