import { useEffect, useRef } from 'react'
import { Navigate, useRevalidator, useSearchParams } from 'react-router'
import type { PractitionerCard } from '#contract/practitioners/practitioners.ts'
import type { RecommendedTherapy as Suggestion } from '#contract/search.ts'
import { CallNow } from '#web/features/get-help/DangerStep.tsx'
import { FittingPractitioners } from '#web/features/practitioners/FittingPractitioners.tsx'
import { HelpNow } from '#web/features/search/guided-search/HelpNow.tsx'
import { forgetAnswers, keepAnswers, readAnswers } from '#web/features/search/guided-search/kept-answers.ts'
import { Recommendation } from '#web/features/search/guided-search/Recommendation.tsx'
import {
  callsFirst,
  chosenCategory,
  completeAnswers,
  goneOn,
  hintsAtDanger,
  pathOf,
} from '#web/features/search/guided-search/steps.ts'
import { parseFilters } from '#web/features/search/filters.ts'
import { callApi } from '#web/lib/api.ts'
import { useTherapistRedirect } from '#web/lib/guard.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { pageTitle } from '#web/lib/site.ts'
import { ErrorPage } from '#web/features/layout/ErrorPage.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { Looking } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import type { Route } from './+types/recommended-therapy.ts'

export const meta = () => [{ title: pageTitle('A kind of therapy for you') }]

const questionsPath = '/find-therapist?filterType=need'

/** The answers are in this tab alone, so the suggestion is asked for from here. A failure is an answer of its own. */
export async function clientLoader() {
  const kept = readAnswers()
  if (!kept) return { state: 'unanswered' } as const
  try {
    const categories = await callApi('GET /filter/need-assistance')
    const category = chosenCategory(categories, kept)
    const answers = category && completeAnswers(category, kept)
    if (!category || !answers) return { state: 'unanswered' } as const
    const callFirst = callsFirst(category, kept)
    if (callFirst !== undefined) return { state: 'call', kept, callFirst } as const
    const therapy = await callApi('POST /find-recommended-therapy', {
      body: { therapy_category_id: category.therapy_category_id, question_answer_array: answers },
    })
    return {
      state: 'found',
      therapy,
      fitting: await whoFits(therapy),
      isDangerous: hintsAtDanger(category, kept),
      lastStep: pathOf(category, kept).length,
    } as const
  } catch (error) {
    return { state: 'failed', message: messageOf(error) } as const
  }
}
clientLoader.hydrate = true as const

/** How many practitioners are shown before the way to all of them. */
const shownFitting = 3

/**
 * Practitioners who offer the suggested therapy online: those who work with the issue behind it first, then others. The
 * suggestion stands without them if they cannot be read.
 */
async function whoFits({ therapy_type_id, issue_id }: Suggestion): Promise<PractitionerCard[]> {
  const read = async (issue: { issue_id?: string }) => {
    const query = {
      therapy_type_id: String(therapy_type_id),
      session_type: 'online',
      per_page: shownFitting,
      ...issue,
    } as const
    return (await callApi('GET /practitioner/get-practitioners', { query })).data
  }
  try {
    const first = issue_id === null ? [] : await read({ issue_id: String(issue_id) })
    if (first.length === shownFitting) return first
    const known = new Set(first.map((card) => card.practitioner_id))
    const others = (await read({})).filter((card) => !known.has(card.practitioner_id))
    return [...first, ...others].slice(0, shownFitting)
  } catch {
    return []
  }
}

export function HydrateFallback() {
  return (
    <div className="page py-8 sm:py-12">
      <Loading label="Looking for what fits" className="flex max-w-2xl flex-col gap-5">
        <Skeleton className="h-10 w-3/4" />
        <Skeleton className="h-24" />
        <Skeleton className="h-32" />
        <Skeleton className="h-12 w-48 rounded-full" />
      </Loading>
    </div>
  )
}

/** The kind of therapy that the answers speak for, and those who offer it. */
export default function RecommendedTherapy({ loaderData }: Route.ComponentProps) {
  const { revalidate, state } = useRevalidator()
  const [search] = useSearchParams()
  const elsewhere = useTherapistRedirect()
  useFocusAfterCall(loaderData.state)
  if (elsewhere) return <Navigate to={elsewhere} replace />
  if (loaderData.state === 'unanswered') {
    return (
      <div className="page py-10">
        <EmptyState
          level={1}
          title="A few questions first"
          illustration={<Looking className="w-44" />}
          actions={<ButtonLink to={questionsPath}>Go to the questions</ButtonLink>}
        >
          <p>We suggest a kind of therapy from your answers. They are kept in this tab only.</p>
        </EmptyState>
      </div>
    )
  }
  if (loaderData.state === 'call') {
    const { kept, callFirst } = loaderData
    return (
      <div className="page">
        <CallNow
          key={callFirst}
          onLabel="See our suggestion"
          onGoOn={() => {
            keepAnswers(goneOn(kept, callFirst))
            void revalidate()
          }}
        />
      </div>
    )
  }
  if (loaderData.state === 'failed') {
    return (
      <div className="page py-10">
        <ErrorState
          level={1}
          title="Our suggestion did not load"
          onRetry={() => void revalidate()}
          isRetrying={state === 'loading'}
          actions={
            <ButtonLink to={questionsPath} variant="secondary">
              Back to my answers
            </ButtonLink>
          }
        >
          <p>{loaderData.message} Your answers are kept.</p>
        </ErrorState>
      </div>
    )
  }
  const { therapy, fitting, isDangerous, lastStep } = loaderData
  const sessionType = parseFilters(search).session_type
  const query = new URLSearchParams({
    therapy_type_id: String(therapy.therapy_type_id),
    therapy_type_name: therapy.therapy_type_name,
    session_type: sessionType ?? 'online',
    instantBooking: 'false',
  })
  return (
    <div className="page flex flex-col gap-8 py-8 sm:py-12">
      {isDangerous && <HelpNow />}
      <Recommendation
        therapy={therapy}
        resultsPath={`/found-therapists?${query}`}
        fitting={<FittingPractitioners cards={fitting} offer={therapy.therapy_type_name} />}
        backPath={`${questionsPath}&step=${lastStep}`}
        onStartAgain={() => forgetAnswers()}
      />
    </div>
  )
}

/** What follows the emergency numbers in place begins at its heading, as a page loaded anew does. */
function useFocusAfterCall(state: string) {
  const shown = useRef(state)
  useEffect(() => {
    const wasCall = shown.current === 'call'
    shown.current = state
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!wasCall || state === 'call' || !heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [state])
}

export const ErrorBoundary = ErrorPage
