import { type ReactNode, useEffect, useRef } from 'react'
import { startChatPath } from '#web/lib/chat-paths.ts'
import { focusLate } from '#web/lib/focus-late.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { useLateNavigate } from '#web/lib/use-late-navigate.ts'
import { Card } from '#web/ui/Card.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { ChoosingTime, Talking } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { addCardPath, type BookingRequest, otherTimesPath } from './booking-address.ts'
import { BookingSummary } from './BookingSummary.tsx'
import { HeldPanel } from './HeldPanel.tsx'
import type { CardsToPayWith } from './PayWithCard.tsx'
import { PriceLines } from './PriceLines.tsx'
import { ReviewPanel } from './ReviewPanel.tsx'
import { useBooking } from './use-booking.ts'

type Props = {
  request: BookingRequest
  cards: CardsToPayWith
  /** The field for a referral code, where one may be used, and what came of it. */
  renderCode(code: { mayUse: boolean; onConfirmed(): void }): ReactNode
}

/** One booking from its review to the payment. */
export function BookingPage(props: Props) {
  const booking = useBooking(props.request)
  const isBooked = booking.view.stage === 'booked'
  useTitle(isBooked ? 'Your booking' : undefined)
  return (
    <>
      {isBooked ? <PageHeading title="Your booking" /> : <BookingHeading />}
      <Stage {...props} booking={booking} />
    </>
  )
}

/** The heading of a booking until it is paid. */
export function BookingHeading() {
  return <PageHeading title="Check and pay" lead="Please check that everything is as you want it." />
}

function Stage({ request, cards, renderCode, booking }: Props & { booking: ReturnType<typeof useBooking> }) {
  const navigate = useLateNavigate()
  const { view } = booking
  const panelHeading = useRef<HTMLHeadingElement>(null)
  const isJustHeld = useRef(false)

  useEffect(() => {
    if (view.stage !== 'held' || !isJustHeld.current) return
    isJustHeld.current = false
    focusLate(panelHeading.current)
  }, [view.stage])

  async function goOn(): Promise<void> {
    const known = cards.refresh().catch(() => undefined)
    isJustHeld.current = true
    const session = await booking.hold()
    if (!session) {
      isJustHeld.current = false
      return
    }
    const saved = await known
    if (saved?.length === 0) await navigate(addCardPath(session, request))
  }

  if (view.stage === 'loading') return <BookingLoading />
  if (view.stage === 'failed') {
    return (
      <ErrorState
        title="This booking did not load"
        onRetry={view.retry}
        isRetrying={view.isRetrying}
        error={view.error}
      />
    )
  }
  if (view.stage === 'not offered')
    return <NotOffered what={view.what} practitionerId={request.practitionerId} />
  if (view.stage === 'booked') {
    return (
      <EmptyState
        title="You have booked this session"
        illustration={<Talking className="w-44" />}
        actions={
          <>
            <ButtonLink to="/my-sessions">My Sessions</ButtonLink>
            <ButtonLink to={otherTimesPath(request.practitionerId)} variant="secondary">
              Book another time
            </ButtonLink>
          </>
        }
      >
        <p>It is paid for. There is nothing left to do here.</p>
      </EmptyState>
    )
  }
  const price = view.stage === 'held' ? view.session : view.preview
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
      <Card as="section" className="flex flex-col gap-5">
        <BookingSummary facts={view.facts} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4">
          <p className="grow basis-48 text-sm text-soft">Anything you would like to ask before you book?</p>
          <ButtonLink to={startChatPath(request.practitionerId)} variant="secondary">
            Start chat with therapist
          </ButtonLink>
        </div>
      </Card>
      <Card as="section" className="flex flex-col gap-5">
        <h2 ref={panelHeading} tabIndex={-1} className="text-2xl">
          {view.stage === 'held' ? 'Pay for your session' : 'Session cost'}
        </h2>
        <PriceLines price={price} />
        {view.stage === 'held' ? (
          <HeldPanel request={request} view={view} cards={cards} onEnd={booking.noteEnd} />
        ) : (
          <ReviewPanel
            request={request}
            view={view}
            error={booking.holdError}
            isHolding={booking.isHolding}
            code={renderCode({
              mayUse: view.preview.may_use_code,
              onConfirmed: booking.notePrice,
            })}
            onGoOn={() => void goOn()}
            onLetGo={() => {
              booking.clearError()
              focusLate(panelHeading.current, panelHeading.current?.closest('section'))
            }}
          />
        )}
      </Card>
    </div>
  )
}

/** An address that does not say whom to book, with the way back to where that is chosen. */
export function BookingUnknown() {
  return (
    <EmptyState
      title="Choose a practitioner first"
      illustration={<ChoosingTime className="w-44" />}
      actions={<ButtonLink to={otherTimesPath(undefined)}>Find a Practitioner</ButtonLink>}
    >
      <p>This link does not say who you would like to see. You can book from anyone’s profile.</p>
    </EmptyState>
  )
}

export function NotOffered({
  what,
  practitionerId,
}: {
  what: 'practitioner' | 'service'
  practitionerId: number
}) {
  const isGone = what === 'practitioner'
  return (
    <EmptyState
      title={isGone ? 'They are not taking bookings at the moment' : 'This session is no longer offered'}
      illustration={<ChoosingTime className="w-44" />}
      actions={
        <ButtonLink to={otherTimesPath(isGone ? undefined : practitionerId)}>
          {isGone ? 'Find a Practitioner' : 'See what is offered'}
        </ButtonLink>
      }
    >
      <p>Nothing is held or charged.</p>
    </EmptyState>
  )
}

/** In the shape of what will stand there. */
export function BookingLoading() {
  return (
    <Loading
      label="Loading your booking"
      className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_26rem]"
    >
      <Card className="flex flex-col gap-5">
        <div className="flex items-center gap-4">
          <Skeleton className="size-20 rounded-t-full rounded-b-lg" />
          <div className="flex grow flex-col gap-2">
            <Skeleton className="h-7 w-2/3 max-w-52" />
            <Skeleton className="h-5 w-1/2 max-w-36" />
          </div>
        </div>
        <Skeleton className="h-12 w-4/5 max-w-72" />
        <Skeleton className="h-6 w-3/5 max-w-56" />
        <Skeleton className="h-6 w-2/5 max-w-40" />
        <Skeleton className="h-6 w-4/5 max-w-72" />
      </Card>
      <Card className="flex flex-col gap-5">
        <Skeleton className="h-8 w-40" />
        <Skeleton className="h-9" />
        <Skeleton className="h-16" />
        <Skeleton className="h-12 rounded-full" />
      </Card>
    </Loading>
  )
}
