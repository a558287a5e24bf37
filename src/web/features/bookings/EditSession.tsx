import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Slot } from '#contract/availability.ts'
import type { AppointmentDetail } from '#contract/bookings.ts'
import type { AppointmentType } from '#contract/common.ts'
import type { PractitionerProfile } from '#contract/practitioners.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { poundsToPence } from '#web/lib/money.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { Price } from '#web/ui/Price.tsx'
import { Rating } from '#web/ui/Rating.tsx'
import { SegmentedToggle } from '#web/ui/SegmentedToggle.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { BankCheck } from './BankCheck.tsx'
import { practitionerQuery } from './booking-queries.ts'
import { formatNames } from './booking-words.ts'
import { BookingProblem } from './BookingProblem.tsx'
import { ChangeDone } from './ChangeDone.tsx'
import { ChangeSummary, type CardsForDifference } from './ChangeSummary.tsx'
import { useSessionChange } from './use-session-change.ts'

/** What the free times are asked for, and what becomes of the one chosen. */
export type SlotQuestionOfEdit = {
  practitionerId: number
  serviceId: number
  type: AppointmentType
  /** `starts_at` of the chosen one. */
  chosen: string | undefined
  onChoose(slot: Slot | undefined): void
  practitionerZone: string
}

type Props = {
  session: AppointmentDetail
  onClose(): void
  cards: CardsForDifference
  renderSlots(question: SlotQuestionOfEdit): ReactNode
}

/** Moves a session to another time, format or service. Whatever fails, what was chosen stays. */
export function EditSession({ session, onClose, cards, renderSlots }: Props) {
  const {
    data: practitioner,
    error,
    isFetching,
    refetch,
  } = useQuery(practitionerQuery(session.practitioner_id))
  if (practitioner) {
    return <EditForm {...{ session, onClose, cards, renderSlots, practitioner }} />
  }
  return (
    <Dialog isOpen onOpenChange={onClose} title={title} look="side">
      {error ? (
        <ErrorState
          title="The free times did not load"
          onRetry={() => void refetch()}
          isRetrying={isFetching}
          level={3}
        >
          <p>{messageOf(error)}</p>
        </ErrorState>
      ) : (
        <Loading label="Loading the free times" className="flex flex-col gap-5">
          <Skeleton className="h-7 w-40" />
          <Skeleton className="h-14 rounded-full" />
          <Skeleton className="h-19" />
          <Skeleton className="h-64" />
        </Loading>
      )}
    </Dialog>
  )
}

const title = 'Book an appointment'
const formats = ['online', 'face_to_face'] as const

function EditForm({
  session,
  onClose,
  cards,
  renderSlots,
  practitioner,
}: Props & { practitioner: PractitionerProfile }) {
  const change = useSessionChange(session, practitioner.services)
  const { checked, choice } = change
  const isMoving = checked.step !== 'idle'

  if (change.done) {
    return (
      <Dialog
        isOpen
        onOpenChange={onClose}
        title={title}
        look="side"
        footer={
          <Button onPress={onClose} fullWidth>
            Done
          </Button>
        }
      >
        <ChangeDone done={change.done} theirZone={practitioner.timezone} />
      </Dialog>
    )
  }
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={onClose}
        isStubborn={isMoving}
        title={title}
        look="side"
        footer={
          <div className="flex w-full flex-col gap-2">
            <Button
              fullWidth
              isPending={isMoving}
              pendingLabel="Changing your booking"
              onPress={() => change.carryOut(cards.chosenId)}
            >
              Book session
            </Button>
            <p className="text-center text-sm text-soft">Instant booking available</p>
          </div>
        }
      >
        <div className="flex flex-col gap-6">
          <div className="flex flex-col gap-2">
            <p className="font-semibold">{practitioner.full_name}</p>
            <div className="flex flex-wrap items-center gap-2">
              <span className="rounded-full border border-line bg-surface px-3 py-1">
                <Rating value={practitioner.reviews_rating} total={practitioner.reviews_total} />
              </span>
              {choice.service && (
                <span className="rounded-full border border-line bg-surface px-3 py-1 text-sm font-semibold">
                  <span className="sr-only">Price </span>
                  <Price pence={poundsToPence(choice.service.fee)} />
                </span>
              )}
            </div>
          </div>
          <SegmentedToggle
            label="Format"
            isLabelHidden
            name="type"
            value={choice.type}
            onChange={(type) => change.chooseType(type === 'online' ? 'online' : 'face_to_face')}
            options={formats.map((format) => ({
              value: format,
              label: formatNames[format],
              isDisabled: practitioner.services[format].length === 0,
            }))}
          />
          <Select
            label="Service"
            value={choice.service?.service_id ?? ''}
            onChange={(event) => change.chooseService(Number(event.target.value))}
            options={practitioner.services[choice.type].map((service) => ({
              value: String(service.service_id),
              label: `${service.service_name}, ${service.duration} minutes`,
            }))}
          />
          {choice.service && (
            <section aria-label="Free times">
              {renderSlots({
                practitionerId: session.practitioner_id,
                serviceId: choice.service.service_id,
                type: choice.type,
                chosen: choice.slot?.starts_at,
                onChoose: change.chooseSlot,
                practitionerZone: practitioner.timezone,
              })}
            </section>
          )}
          <ChangeSummary session={session} change={change} cards={cards} theirZone={practitioner.timezone} />
          {checked.step !== 'asking' && checked.error !== undefined && (
            <BookingProblem error={checked.error} />
          )}
        </div>
      </Dialog>
      <BankCheck checked={checked} />
    </>
  )
}
