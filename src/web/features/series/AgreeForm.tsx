import { type ReactNode, useState } from 'react'
import type { SeriesDate, SeriesPreview, SeriesTerms as Terms } from '#contract/series/series.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatPounds } from '#web/lib/money.ts'
import { rhythmLabel } from '#web/lib/rhythm-label.ts'
import { viewerZone } from '#web/lib/time.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { BankCheck } from '#web/ui/BankCheck.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { type CardsToPay, CardToPay } from '#web/ui/CardToPay.tsx'
import { InputLock } from '#web/ui/InputLock.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { Section } from '#web/ui/Section.tsx'
import { type Choices, resolved } from './ConflictChoice.tsx'
import { firstChargeLabel } from './first-charge.ts'
import { PlannedDates } from './PlannedDates.tsx'
import { SeriesTerms } from './SeriesTerms.tsx'
import { type ShownOffer, shownOf } from './shown-offer.ts'
import type { Agreeing } from './use-agree.ts'

type Offer = ShownOffer &
  Pick<SeriesPreview, 'practitioner' | 'service_name'> & { dates: readonly SeriesDate[]; terms: Terms }

type Props = {
  offer: Offer
  /** Before the dates: how often. */
  above?: ReactNode
  cards: CardsToPay
  /** The series to agree to; makes it first where there is none yet. */
  seriesId(): Promise<string>
  agreeing: Agreeing
  /** The dates are those of another choice. */
  isWaiting?: boolean
  /** Below the button: another answer. */
  below?: ReactNode
}

/** The first dates of a series with prices and terms, a card, and the button that agrees. */
export function AgreeForm({ offer, above, cards, seriesId, agreeing, isWaiting, below }: Props) {
  const [choices, setChoices] = useState<Choices>({})
  const [lacksCard, setLacksCard] = useState(false)
  const { practitioner, dates, terms, rhythm } = offer
  const isBusy = agreeing.step !== 'idle'

  function agree(): void {
    setLacksCard(cards.chosenId === undefined)
    if (cards.chosenId === undefined) return
    agreeing.agree({
      seriesId,
      customerId: cards.chosenId,
      terms,
      dates: resolved(dates, choices),
      shown: shownOf(offer),
    })
  }

  return (
    <AgreeLayout
      isBusy={isBusy}
      side={
        <>
          <OfferFacts offer={offer} />
          <Section title="How it works" className="flex flex-col gap-2">
            <SeriesTerms terms={terms} />
          </Section>
          <div className="flex flex-col gap-4">
            <CardToPay cards={cards} firstTitle="Your card" />
          </div>
          {lacksCard && cards.chosenId === undefined && (
            <Alert tone="warning" live="assertive" title="Choose a card">
              Add or choose a card to pay with. It is charged two days before each session.
            </Alert>
          )}
          {!isBusy && agreeing.error !== undefined && <AgreeProblem error={agreeing.error} />}
          <div className="flex flex-col gap-2">
            <Button
              fullWidth
              isPending={isBusy}
              isDisabled={isWaiting}
              pendingLabel="Reserving your dates"
              onPress={agree}
            >
              Agree
            </Button>
            <p className="text-center text-sm text-soft">{firstChargeLabel(dates, choices, serverNow())}</p>
          </div>
          {below}
          <BankCheck checked={agreeing} />
        </>
      }
    >
      {above}
      <h2 id="agree-dates" className="text-2xl">
        Your first dates
      </h2>
      <p className="text-soft">
        {`${rhythmLabel(rhythm, viewerZone(), dates[0]?.starts_at ?? 0)}. Dates in the next ten weeks are reserved at once, later ones as they come near.`}
      </p>
      <PlannedDates
        dates={dates}
        theirZone={practitioner.timezone}
        choices={choices}
        onChoose={(day, choice) => setChoices({ ...choices, [day]: choice })}
      />
    </AgreeLayout>
  )
}

/** Two columns on a wide screen: the dates, and what is agreed. */
export function AgreeLayout({
  children,
  side,
  isBusy,
}: {
  children: ReactNode
  side: ReactNode
  isBusy: boolean
}) {
  return (
    <InputLock isLocked={isBusy}>
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
        <Card as="section" className="flex flex-col gap-4">
          {children}
        </Card>
        <Card as="section" className="flex flex-col gap-5">
          {side}
        </Card>
      </div>
    </InputLock>
  )
}

/** With whom, for what, where, and the price of each session. */
export function OfferFacts({ offer }: { offer: Omit<Offer, 'dates' | 'terms'> }) {
  const { practitioner, service_name, appointment_type, location, fee } = offer
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center gap-4">
        <Portrait name={practitioner.full_name} image={practitioner.main_image} size={72} shape="arch" />
        <div className="min-w-0">
          <p className="font-serif text-xl">{practitioner.full_name}</p>
          <p className="text-soft">{practitioner.provider_types.join(', ')}</p>
        </div>
      </div>
      <p className="flex items-baseline justify-between gap-4 border-t border-line pt-4">
        <span>
          {service_name}
          <span className="block text-sm text-soft">
            {appointment_type === 'online' ? 'Online' : (location?.location_name ?? 'Face-to-face')}
          </span>
        </span>
        <span className="shrink-0 text-right">
          <strong className="font-serif text-2xl font-normal tabular-nums">{formatPounds(fee)}</strong>
          <span className="block text-sm text-soft">each session</span>
        </span>
      </p>
    </div>
  )
}

const titles: Partial<Record<ApiError['code'], string>> = {
  series_conflict: 'Some dates are no longer free',
  series_over: 'This offer is no longer open',
  card_declined: 'This card did not work',
  authentication_required: 'Your bank has not confirmed it',
  network_failure: 'The connection was lost',
  too_many_requests: 'Too many attempts',
}

/** Why nothing was agreed, with the way on. */
export function AgreeProblem({ error }: { error: unknown }) {
  const code = error instanceof ApiError ? error.code : undefined
  return (
    <Alert
      tone={code === 'series_conflict' ? 'warning' : 'danger'}
      live="assertive"
      title={(code && titles[code]) ?? 'That did not work'}
      actions={
        code === 'series_over' && (
          <ButtonLink to="/my-sessions" size="small" variant="secondary">
            My Sessions
          </ButtonLink>
        )
      }
    >
      {messageOf(error)}
      {code === 'series_conflict' && ' Please look at the dates again.'}
      {code === 'network_failure' && ' It is safe to press again: nothing is reserved or charged twice.'}
    </Alert>
  )
}
