import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { comparedAtMost } from '#contract/shortlist-limits.ts'
import type { PractitionerCard } from '#contract/practitioners/practitioners.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { comparisonPath, foundTherapistsPath, shortlistPath } from '#web/lib/site.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { Looking } from '#web/ui/illustrations/Scenes.tsx'
import { comparedOf, type ComparisonState } from './compared.ts'
import { cardsQuery } from './shortlist-queries.ts'
import { readAgain, takeOff, useShortlist } from './shortlist-store.ts'

type Props = {
  /** Names the time zone of the times; absent where no other clock is meant. */
  zoneNote: string | undefined
  /** `choice` chooses the person for a comparison. */
  renderPerson(person: PractitionerCard, choice: ReactNode): ReactNode
}

/** The people whom a visitor or client has saved. */
export function ShortlistPage(props: Props) {
  const { ids, keptIn, isKnown, error } = useShortlist()
  const [isAsking, setAsking] = useState(false)
  const [isClearing, setClearing] = useState(false)
  if (error) {
    return (
      <Frame>
        <ErrorState title="Your shortlist did not load" onRetry={readAgain} error={error} />
      </Frame>
    )
  }
  if (isKnown && ids.length === 0)
    return (
      <Frame>
        <Nothing />
      </Frame>
    )
  const clear = async () => {
    setClearing(true)
    try {
      await takeOff(ids)
      setAsking(false)
      showToast('Your shortlist is empty.')
    } catch (failed) {
      showToast(messageOf(failed), 'danger')
    } finally {
      setClearing(false)
    }
  }
  return (
    <Frame
      lead={
        keptIn === 'browser' ? (
          <>
            Saved in this browser only, for 30 days. Sharing this device?{' '}
            <TextLink to="/sign-in?return_to=%2Fshortlist">Log in</TextLink> to keep your list on your account
            instead.
          </>
        ) : (
          'Saved on your account. Only you can see it.'
        )
      }
      actions={
        isKnown && (
          <Button variant="secondary" onPress={() => setAsking(true)}>
            Clear shortlist
          </Button>
        )
      }
    >
      {isKnown ? <People ids={ids} {...props} /> : <Loading />}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Clear your shortlist?"
        confirmLabel="Clear shortlist"
        cancelLabel="Keep it"
        isPending={isClearing}
        isDangerous
        onConfirm={() => void clear()}
      >
        <p>Everyone on it is taken off. You can save them again from their profiles.</p>
      </ConfirmDialog>
    </Frame>
  )
}

function Frame({ lead, actions, children }: { lead?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="page max-w-4xl">
      <PageHeading title="Your shortlist" lead={lead} actions={actions} />
      {children}
    </div>
  )
}

function Loading() {
  return (
    <div className="flex flex-col gap-5">
      <Skeleton className="h-44" />
      <Skeleton className="h-44" />
    </div>
  )
}

function Nothing() {
  return (
    <EmptyState
      title="Your shortlist is empty"
      illustration={<Looking className="w-44" />}
      actions={<ButtonLink to={foundTherapistsPath}>Find a therapist</ButtonLink>}
    >
      <p>Press the heart beside a name, and the person appears here. You can compare up to three.</p>
    </EmptyState>
  )
}

function People({ ids, zoneNote, renderPerson }: Props & { ids: readonly number[] }) {
  const query = useQuery(cardsQuery(ids))
  const navigate = useNavigate()
  const { state: kept } = useLocation()
  const [chosen, setChosen] = useState<readonly number[]>(() => comparedOf(kept))
  const [isOver, setOver] = useState(false)
  if (query.isPending) return <Loading />
  if (query.isError) return <QueryError query={query} title="Your shortlist did not load" />
  const people = query.data.data.filter(({ id }) => ids.includes(id))
  const compared = chosen.filter((id) => people.some((person) => person.id === id))
  const missing = query.isPlaceholderData
    ? []
    : ids.filter((id) => people.every((person) => person.id !== id))
  const choose = (id: number, isChosen: boolean) => {
    const isTooMany = isChosen && compared.length >= comparedAtMost
    setOver(isTooMany)
    if (!isTooMany) setChosen(isChosen ? [...compared, id] : compared.filter((other) => other !== id))
  }
  const compare = async () => {
    const state: ComparisonState = { compared: [...compared] }
    // Going back from the comparison finds them chosen.
    await navigate(shortlistPath, { replace: true, state, preventScrollReset: true })
    await navigate(comparisonPath, { state })
  }
  return (
    <>
      {missing.length > 0 && (
        <Alert
          tone="info"
          className="mb-5"
          actions={
            <Button
              size="small"
              variant="secondary"
              onPress={() =>
                void takeOff(missing).catch((failed: unknown) => showToast(messageOf(failed), 'danger'))
              }
            >
              Take off
            </Button>
          }
        >
          {missing.length === 1
            ? 'One person on your list is not taking clients here at the moment.'
            : `${missing.length} people on your list are not taking clients here at the moment.`}
        </Alert>
      )}
      {zoneNote && <p className="pb-4 text-sm text-soft">{zoneNote}</p>}
      <ul className="flex flex-col gap-5 [&_:is(a,button,input)]:scroll-mb-24">
        {people.map((person) => (
          <li key={person.id}>
            {renderPerson(
              person,
              <Checkbox
                checked={compared.includes(person.id)}
                onChange={(event) => choose(person.id, event.target.checked)}
              >
                Compare<span className="sr-only"> {person.full_name}</span>
              </Checkbox>,
            )}
          </li>
        ))}
      </ul>
      {people.length > 1 && (
        <div className="sticky bottom-0 -mx-1 mt-4 flex flex-wrap items-center gap-x-5 gap-y-2 border-t border-line bg-paper px-1 py-3">
          <Button
            onPress={() => {
              if (compared.length < 2) setOver(false)
              else void compare()
            }}
            aria-describedby="compare-hint"
          >
            Compare side by side
          </Button>
          <p id="compare-hint" role="status" className="text-sm text-soft">
            {isOver
              ? 'You can compare three at most. Take one off first.'
              : compared.length < 2
                ? 'Choose two or three people.'
                : `${compared.length} chosen.`}
          </p>
        </div>
      )}
    </>
  )
}
