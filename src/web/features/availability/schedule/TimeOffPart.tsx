import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TimeOff } from '#contract/availability/schedule.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { LiveRegion } from '#web/ui/LiveRegion.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { scheduleKeys, timeOffQuery } from './schedule-queries.ts'
import { timeOffLabel } from './schedule-labels.ts'
import { type Skipped, TimeOffForm, type TimeOffFormProps } from './TimeOffForm.tsx'
import { QueryErrorAlert } from '#web/ui/QueryErrorAlert.tsx'

type Said = {
  tone: 'success' | 'warning' | 'danger'
  text: string
  leadsToWeek?: boolean
  /** Takes the focus: the button that was pressed has gone. */
  isFocused?: boolean
}

/** Days and hours off: those ahead, and taking more. */
export function TimeOffPart({
  today,
  regular,
  onUnsaved,
}: Pick<TimeOffFormProps, 'today' | 'regular' | 'onUnsaved'>) {
  const query = useQuery(timeOffQuery())
  const { data, error } = query
  const [said, setSaid] = useState<Said>()
  const [toSkip, setToSkip] = useState<TimeOff>()
  const [toRemove, setToRemove] = useState<TimeOff>()
  const remove = useAction('DELETE /therapist/time-off/{id}', { invalidates: scheduleKeys() })

  async function removeOnce(timeOff: TimeOff): Promise<void> {
    await remove.send({ params: { id: timeOff.time_off_id } }).catch((error: unknown) => {
      // Removed already: in another window, or by a call whose answer was lost.
      if (!(error instanceof ApiError && error.status === 404)) throw error
    })
    const text = `${timeOffLabel(timeOff, today)} is no longer time off.`
    setSaid({ tone: 'success', text, isFocused: true })
  }

  function added(timeOff: TimeOff, skipped: Skipped | undefined | null): void {
    const booked = timeOff.booked_sessions - (skipped?.count ?? 0)
    if (skipped === undefined) {
      return setSaid({
        tone: 'danger',
        text: `${timeOffLabel(timeOff, today)} is time off, but the regular sessions in it could not be skipped. Please skip them above.`,
      })
    }
    if (skipped && skipped.left > 0) {
      return setSaid({
        tone: 'warning',
        text: `${timeOffLabel(timeOff, today)} is time off. ${skippedLabel(skipped)}`,
        leadsToWeek: true,
      })
    }
    if (skipped && skipped.count > 0) {
      return setSaid({
        tone: 'success',
        text: `${timeOffLabel(timeOff, today)} is time off. ${skippedLabel(skipped)}${booked > 0 ? ` ${booked} single ${booked === 1 ? 'session stays' : 'sessions stay'} booked.` : ''}`,
        leadsToWeek: booked > 0,
      })
    }
    setSaid(
      booked === 0
        ? { tone: 'success', text: `${timeOffLabel(timeOff, today)} is time off.` }
        : {
            tone: 'warning',
            text: `${timeOffLabel(timeOff, today)} is time off. ${booked} booked ${booked === 1 ? 'session falls within it and stays booked' : 'sessions fall within it and stay booked'}.`,
            leadsToWeek: true,
          },
    )
  }

  return (
    <div className="flex flex-col gap-5">
      {data ? (
        data.length === 0 ? (
          <p className="text-soft">No time off planned.</p>
        ) : (
          <ul className="flex flex-col">
            {data.map((timeOff) => {
              const words = timeOffLabel(timeOff, today)
              return (
                <li
                  key={timeOff.time_off_id}
                  className="flex items-center justify-between gap-3 border-b border-line py-1"
                >
                  <span>
                    {words}
                    {timeOff.booked_sessions > 0 && (
                      <span className="block text-sm text-warning">
                        {timeOff.booked_sessions} booked{' '}
                        {timeOff.booked_sessions === 1 ? 'session' : 'sessions'} in it
                      </span>
                    )}
                  </span>
                  {timeOff.booked_sessions > 0 &&
                    regular.renderIfAny(
                      timeOff,
                      <Button
                        variant="quiet"
                        size="small"
                        className="ms-auto"
                        aria-label={`Skip regular ones: ${words}`}
                        onPress={() => setToSkip(timeOff)}
                      >
                        Skip regular ones
                      </Button>,
                    )}
                  <IconButton label={`Remove time off ${words}`} onPress={() => setToRemove(timeOff)}>
                    <IconTrash aria-hidden size={20} />
                  </IconButton>
                </li>
              )
            })}
          </ul>
        )
      ) : error ? (
        <QueryErrorAlert title="Your time off did not load" query={query} />
      ) : (
        <Loading label="Loading your time off" skeleton="h-11" />
      )}
      <LiveRegion focusOn={said?.isFocused ? said : undefined} className="outline-none">
        {said && (
          <Alert tone={said.tone}>
            {said.text}
            {said.leadsToWeek && (
              <>
                {' '}
                <TextLink to="/therapist/schedule">See your week</TextLink>
              </>
            )}
          </Alert>
        )}
      </LiveRegion>
      <TimeOffForm today={today} regular={regular} onAdded={added} onUnsaved={onUnsaved} />
      {toRemove && (
        <ActionDialog
          title="Remove this time off?"
          confirmLabel="Remove time off"
          cancelLabel="Keep time off"
          isDangerous
          failureTitle="It is still time off"
          onConfirm={() => removeOnce(toRemove)}
          onClose={() => setToRemove(undefined)}
        >
          <p>
            {timeOffLabel(toRemove, today)}: clients can book your usual hours again. Regular sessions that
            you skipped stay skipped.
          </p>
        </ActionDialog>
      )}
      {toSkip &&
        regular.renderSkip(
          toSkip,
          () => setToSkip(undefined),
          (skipped) =>
            setSaid({
              tone: skipped.count > 0 && skipped.left === 0 ? 'success' : 'warning',
              text: skippedLabel(skipped) || 'No regular session was left to skip.',
            }),
        )}
    </div>
  )
}

const skippedLabel = ({ count, left }: Skipped) =>
  [
    count > 0 &&
      `${count} regular ${count === 1 ? 'session is' : 'sessions are'} skipped, and we have told the ${count === 1 ? 'client' : 'clients'}.`,
    left > 0 &&
      `${left} regular ${left === 1 ? 'session was' : 'sessions were'} agreed or moved meanwhile and ${left === 1 ? 'stays' : 'stay'} booked. Please look at ${left === 1 ? 'it' : 'them'} again.`,
  ]
    .filter(Boolean)
    .join(' ')
