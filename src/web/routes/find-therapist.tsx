import { Navigate, useNavigate, useSearchParams } from 'react-router'
import type { AssistanceCategory } from '#contract/search.ts'
import { CallNow } from '#web/features/get-help/DangerStep.tsx'
import { GuidedSearch } from '#web/features/search/guided-search/GuidedSearch.tsx'
import { GuidedSearchLoading } from '#web/features/search/guided-search/GuidedSearchLoading.tsx'
import { type KeptAnswers, readAnswers } from '#web/features/search/guided-search/kept-answers.ts'
import { FindForm } from '#web/features/search/FindForm.tsx'
import { parseFilters } from '#web/features/search/filters.ts'
import { useTherapistRedirect } from '#web/lib/guard.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { serverApi } from '#web/lib/server-api.ts'
import { pageTitle } from '#web/lib/site.ts'
import { TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import type { Route } from './+types/find-therapist.ts'

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: pageTitle('Find a therapist'),
    description:
      'Tell us what matters to you: the issue, languages, insurance, gender. Looking is free and needs no account.',
  })

/** Loads the questions of the guided search: `?filterType=need`. */
export async function loader({ context, request, url: { searchParams } }: Route.LoaderArgs) {
  if (searchParams.get('filterType') !== 'need') return null
  return serverApi(context)('GET /filter/need-assistance', { signal: request.signal })
}

/** The questions change with a release at most; a step is none. */
export function shouldRevalidate({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }): boolean {
  return currentUrl.searchParams.get('filterType') !== nextUrl.searchParams.get('filterType')
}

export default function FindTherapist({ matches, loaderData }: Route.ComponentProps) {
  const [query] = useSearchParams()
  const elsewhere = useTherapistRedirect()
  if (elsewhere) return <Navigate to={elsewhere} replace />
  return (
    <div className="page">
      <div className="mx-auto max-w-2xl">
        {loaderData ? (
          <Guided categories={loaderData} />
        ) : (
          <>
            <PageHeading
              title="Who are you looking for?"
              lead="Answer what matters to you and skip the rest."
            />
            <FindForm options={matches[1].loaderData} initial={parseFilters(query)} />
          </>
        )}
      </div>
    </div>
  )
}

/** `?step=2`, or nothing; what is absent or 0 is left out. */
function queryWith(parameters: Record<string, string | number | undefined>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) => (value ? [[name, String(value)]] : []))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** The answers that this tab keeps, with the category that was picked before the page was alive. */
function answersWithEarly(): KeptAnswers | undefined {
  const kept = readAnswers()
  const picked = document.querySelector<HTMLInputElement>('input[name=category]:checked')
  const categoryId = picked ? Number(picked.value) + 1 : kept?.categoryId
  if (categoryId === undefined || categoryId === kept?.categoryId) return kept
  return { categoryId, answers: kept?.answers ?? {} }
}

/** `?step=` says where one is, so that the browser's way back works; what was answered is kept in the tab alone. */
function Guided({ categories }: { categories: readonly AssistanceCategory[] }) {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const isHydrated = useHydrated()
  const wantedStep = Number(query.get('step') ?? 0)
  const kept = { session_type: parseFilters(query).session_type }
  return (
    <div className="flex flex-col gap-8 pt-6 sm:pt-10">
      <noscript>
        <Alert tone="warning" title="These questions need JavaScript">
          Without it, you can <TextLink to="/find-therapist">choose by what matters to you</TextLink>.
        </Alert>
      </noscript>
      {/* Only the browser knows this tab's answers. The server renders the first step, for visitors who begin. */}
      {isHydrated || wantedStep === 0 ? (
        <GuidedSearch
          categories={categories}
          wantedStep={wantedStep}
          isHydrated={isHydrated}
          restore={answersWithEarly}
          onStep={(step) =>
            void navigate(`/find-therapist${queryWith({ ...kept, filterType: 'need', step })}`, {
              preventScrollReset: true,
            })
          }
          CallNow={CallNow}
          onDone={() => void navigate(`/recommended-therapy${queryWith(kept)}`)}
        />
      ) : (
        <GuidedSearchLoading />
      )}
      <p className="text-sm text-soft">
        Do you know what you are looking for?{' '}
        <TextLink to="/find-therapist?filterType=know">Choose by language, therapy or name</TextLink>
      </p>
    </div>
  )
}
