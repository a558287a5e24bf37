import { data, isRouteErrorResponse, type ShouldRevalidateFunctionArgs } from 'react-router'
import { BookBar } from '#web/features/availability/BookBar.tsx'
import { BookingArea } from '#web/features/availability/BookingArea.tsx'
import { pickService, useBookingChoice } from '#web/features/availability/booking-choice.ts'
import { findNextFree, freeTimesInput, type SlotQuestion } from '#web/features/availability/queries.ts'
import type { InitialWeek } from '#web/features/availability/SlotPicker.tsx'
import { useStickyTop } from '#web/features/availability/use-sticky-top.ts'
import { mondayOf } from '#web/features/availability/weeks.ts'
import { ErrorPage } from '#web/features/layout/ErrorPage.tsx'
import { ChatNow } from '#web/features/practitioners/ChatNow.tsx'
import { nextFree } from '#web/features/practitioners/free-time.ts'
import { ProfileFacts, ProfileIntroduction } from '#web/features/practitioners/ProfileFacts.tsx'
import { ProfileHeader } from '#web/features/practitioners/ProfileHeader.tsx'
import { ShareProfile } from '#web/features/practitioners/ShareProfile.tsx'
import {
  type SimilarPractitioner,
  SimilarPractitioners,
} from '#web/features/practitioners/SimilarPractitioners.tsx'
import { useCountedView } from '#web/features/practitioners/use-counted-view.ts'
import { ReportButton } from '#web/features/reviews/ReportButton.tsx'
import { HeartButton } from '#web/features/shortlist/HeartButton.tsx'
import { serverNow } from '#web/lib/clock.ts'
import { profileData } from '#web/features/practitioners/profile-data.ts'
import { breadcrumbData, originOf, pageMeta } from '#web/lib/page-meta.ts'
import { pageErrorOf } from '#web/lib/page-error.ts'
import type { PlainHandle } from '#web/lib/plain-page.ts'
import { profilePath } from '#web/lib/profile-path.ts'
import { formatIn, idIn } from '#web/lib/search-params.ts'
import { serverApi } from '#web/lib/server-api.ts'
import { foundTherapistsPath, pageTitle } from '#web/lib/site.ts'
import { addDays, dayIn, isDay } from '#web/lib/time.ts'
import { pageZone, useViewerZone } from '#web/lib/viewer-zone.ts'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LostPath } from '#web/ui/illustrations/LostPath.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import type { Route } from './+types/recommended-therapist.ts'

export const handle: PlainHandle = { isPlain: true, comesAlive: true }

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return [{ title: pageTitle('Profile not found') }]
  const { profile } = loaderData
  const origin = originOf(matches)
  return pageMeta({
    title: pageTitle(`${profile.full_name}, ${profile.provider_types.join(', ')}`),
    description: profile.short_description,
    type: 'profile',
    data: [
      profileData(profile, origin),
      breadcrumbData(origin, [
        { name: 'Home', path: '/' },
        { name: 'Find a Therapist or Psychiatrist', path: '/found-therapists' },
        { name: profile.full_name, path: profilePath(profile.practitioner_id) },
      ]),
    ],
  })
}

/**
 * Reads the profile and a week of free times: that of `week` or `day`, else the present one. The format is that of `type`,
 * else of the next free time.
 */
export async function loader({ context, request, url: { searchParams: query } }: Route.LoaderArgs) {
  const id = idIn(query.get('practitionerId'))
  if (id === undefined) throw notFound()
  const api = serverApi(context)
  const now = serverNow()
  try {
    const profile = await api('GET /practitioner/{id}/profile', { params: { id }, signal: request.signal })
    const similar = readSimilar(api, id, request.signal)
    const next = nextFree(profile.next_available, formatIn(query.get('type')))
    const type = formatIn(query.get('type')) ?? next?.type
    const service = pickService(profile.services, type, idIn(query.get('service')))
    if (!service) return { profile, now, service: undefined, week: undefined, similar: await similar }

    const today = dayIn(now, pageZone)
    const asked = [query.get('day'), query.get('week')].find((text) => isDay(text) && text >= mondayOf(today))
    let monday = mondayOf(asked ?? today)
    const question: SlotQuestion = {
      practitionerId: id,
      serviceId: service.service_id,
      appointmentType: service.appointment_type,
      zone: pageZone,
    }
    const read = (input: ReturnType<typeof freeTimesInput>) =>
      api('GET /practitioner/{id}/next-available-sessions', { ...input, signal: request.signal })
    let { slots, fresh_until } = await read(freeTimesInput(question, monday, 7))
    // At the weekend the days of the present week are over, unless there are times on what is left of it.
    if (asked === undefined && slots.length === 0 && today >= addDays(monday, 5)) {
      monday = addDays(monday, 7)
      ;({ slots, fresh_until } = await read(freeTimesInput(question, monday, 7)))
    }
    const day = query.get('day')
    const week: InitialWeek = {
      monday,
      isAsked: asked !== undefined,
      ...(day && day === asked ? { day } : {}),
      slots,
      fresh_until,
      ...(slots.length === 0 ? { nextFreeAt: await findNextFree(question, addDays(monday, 7), read) } : {}),
      serviceId: service.service_id,
      appointmentType: service.appointment_type,
    }
    return { profile, now, service, week, similar: await similar }
  } catch (error) {
    throw pageErrorOf(error)
  }
}

/** People like the practitioner, with what a line shows of them. A profile is shown without them rather than not at all. */
async function readSimilar(
  api: ReturnType<typeof serverApi>,
  id: number,
  signal: AbortSignal,
): Promise<SimilarPractitioner[]> {
  try {
    const { data: people } = await api('GET /practitioner/{id}/similar', { params: { id }, signal })
    return people.map(({ id: other, full_name, provider_types, profile_image, min_fee, max_fee }) => ({
      id: other,
      full_name,
      provider_types,
      profile_image,
      min_fee,
      max_fee,
    }))
  } catch {
    return []
  }
}

/** Weeks and days are turned in the page itself. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return currentUrl.search === nextUrl.search ? false : defaultShouldRevalidate
}

const bookingId = 'book'

export default function RecommendedTherapist({ loaderData }: Route.ComponentProps) {
  // Another practitioner's profile is another page: no choice is carried over.
  return <Profile key={loaderData.profile.practitioner_id} {...loaderData} />
}

function Profile({ profile, now, service, week, similar }: Route.ComponentProps['loaderData']) {
  const zone = useViewerZone()
  const choice = useBookingChoice(profile, service)
  const path = profilePath(profile.practitioner_id)
  const sticky = useStickyTop()
  useCountedView(profile.practitioner_id)
  return (
    // What takes the focus stays clear of the bar at the bottom of a phone.
    <div className="page pt-4 max-lg:[&_:is(a,button,input,select,summary)]:scroll-mb-28">
      <Breadcrumbs
        items={[
          { label: 'Home', to: '/' },
          { label: 'Find a Therapist or Psychiatrist', to: foundTherapistsPath },
          { label: profile.full_name },
        ]}
      />
      <div className="grid grid-cols-1 gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[auto_1fr]">
        <div className="flex min-w-0 flex-col gap-10">
          <ProfileHeader
            profile={profile}
            zone={zone}
            now={now}
            actions={
              <>
                <ChatNow practitionerId={profile.practitioner_id} name={profile.full_name} />
                <ShareProfile practitionerId={profile.practitioner_id} name={profile.full_name} />
              </>
            }
            heart={<HeartButton practitionerId={profile.practitioner_id} name={profile.full_name} />}
          />
          <ProfileIntroduction profile={profile} />
        </div>
        <section
          {...sticky}
          id={bookingId}
          aria-labelledby="book-title"
          className="min-w-0 scroll-mt-4 self-start rounded-xl border border-line bg-surface p-5 shadow-low sm:p-6 lg:sticky lg:row-span-2 lg:mt-6"
        >
          <h2 id="book-title" className="mb-4 text-2xl">
            Book a session
          </h2>
          <BookingArea
            practitioner={profile}
            choice={choice}
            initial={week}
            now={now}
            pagePath={(change) => {
              const query = new URLSearchParams()
              if (change.service) {
                query.set('type', change.service.appointment_type)
                query.set('service', String(change.service.service_id))
              }
              if (change.week) query.set('week', change.week)
              if (change.day) query.set('day', change.day)
              return `${path}&${query}#${bookingId}`
            }}
          />
        </section>
        <div className="flex min-w-0 flex-col gap-10">
          <ProfileFacts
            profile={profile}
            now={now}
            renderReport={(what) => <ReportButton {...what} practitionerId={profile.practitioner_id} />}
          />
        </div>
      </div>
      <SimilarPractitioners people={similar} />
      <BookBar practitioner={profile} choice={choice} bookingId={bookingId} />
    </div>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) return <ErrorPage />
  return (
    <div className="page py-10">
      <EmptyState
        level={1}
        title="We cannot find this profile"
        illustration={<LostPath className="w-52" />}
        actions={<ButtonLink to={foundTherapistsPath}>See all practitioners</ButtonLink>}
      >
        <p>The address may be mistyped, or this practitioner is no longer taking clients here.</p>
      </EmptyState>
    </div>
  )
}

function notFound() {
  return data(null, { status: 404 })
}
