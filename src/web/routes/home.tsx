import { Suspense } from 'react'
import { HelpRightNow } from '#web/features/home/HelpRightNow.tsx'
import { Hero } from '#web/features/home/Hero.tsx'
import { HowItWorks } from '#web/features/home/HowItWorks.tsx'
import { ForPractitioners, LastWord } from '#web/features/home/LastWord.tsx'
import { Promises } from '#web/features/home/Promises.tsx'
import { WhoYouCanTalkTo } from '#web/features/home/WhoYouCanTalkTo.tsx'
import { SentenceBox } from '#web/features/search/sentence/SentenceBox.tsx'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { contactOf, originOf, pageMeta } from '#web/lib/page-meta.ts'
import { useSession } from '#web/lib/session.ts'
import { isOpen, siteName } from '#web/lib/site.ts'
import type { PlainHandle } from '#web/lib/plain-page.ts'
import type { Route } from './+types/home.ts'

/** Loads the framework only once the reader uses the page. */
export const handle: PlainHandle = { isPlain: true }

export const meta: Route.MetaFunction = ({ matches }) => {
  const origin = originOf(matches)
  return pageMeta({
    title: 'Hearth – find someone to talk to',
    description:
      'Find and book a vetted therapist or psychiatrist in the UK. They set their own prices; looking is free and needs no account.',
    data: [
      {
        '@type': 'Organization',
        name: siteName,
        url: `${origin}/`,
        logo: `${origin}/icons/512.png`,
        email: contactOf(matches),
        areaServed: 'GB',
      },
      {
        '@type': 'WebSite',
        name: siteName,
        url: `${origin}/`,
        inLanguage: 'en-GB',
        potentialAction: {
          '@type': 'SearchAction',
          target: `${origin}/found-therapists?name={name}`,
          'query-input': 'required name=name',
        },
      },
    ],
  })
}

/** Visitors load nothing of these. */
const UnconfirmedEmail = lazyPart(() => import('#web/features/accounts/UnconfirmedEmailAlone.tsx'))
const ClientHome = lazyPart(() => import('#web/features/home/ClientHome.tsx'))
const ComingSession = lazyPart(() => import('#web/features/bookings/ComingSession.tsx'))
const UnpaidTimes = lazyPart(() => import('#web/features/bookings/UnpaidTimes.tsx'))
const UnreadChats = lazyPart(() => import('#web/features/chat/UnreadChats.tsx'))
const SeriesTasks = lazyPart(() => import('#web/features/series/SeriesTasks.tsx'))
const OpenOffers = lazyPart(() => import('#web/features/waitlist/OpenOffers.tsx'))
const AbsencesToReport = lazyPart(() => import('#web/features/reviews/AbsencesToReport.tsx'))
const NoShowsToDispute = lazyPart(() => import('#web/features/reviews/NoShowsToDispute.tsx'))
const ReviewsToWrite = lazyPart(() => import('#web/features/reviews/ReviewsToWrite.tsx'))

/** A practitioner's. A client has it among what waits for them. */
function EmailToConfirm() {
  const { role } = useSession()
  if (role !== 'therapist') return null
  return (
    <div className="page pt-6 empty:hidden">
      <Suspense>
        <UnconfirmedEmail />
      </Suspense>
    </div>
  )
}

/** A signed-in client's own part of the page, which comes first. */
function OwnPart() {
  return (
    <Suspense>
      <ClientHome
        next={<ComingSession />}
        tasks={
          <>
            <UnconfirmedEmail />
            <ul aria-label="Waiting for you" className="flex flex-col gap-3 empty:hidden">
              <UnpaidTimes />
              <OpenOffers />
              <AbsencesToReport />
              <NoShowsToDispute />
              <SeriesTasks />
              <UnreadChats />
              <ReviewsToWrite />
            </ul>
          </>
        }
      />
    </Suspense>
  )
}

export default function Home() {
  const isClient = useSession().role === 'client'
  return (
    <>
      {isClient && <OwnPart />}
      <Hero level={isClient ? 2 : 1} sentence={<SentenceBox />} />
      <EmailToConfirm />
      <Promises />
      <HowItWorks />
      <WhoYouCanTalkTo />
      <HelpRightNow />
      {isOpen('/therapist/sign-up') && <ForPractitioners />}
      <LastWord />
    </>
  )
}
