import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { FollowedAppointment } from '#contract/bookings/bookings.ts'
import type { HelpDispatch } from '#contract/get-help/help-dispatch.ts'
import { formatPounds } from '#web/lib/money.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Countdown } from '#web/ui/Countdown.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { FoundTherapist } from './FoundTherapist.tsx'
import { helpRoot } from './help-queries.ts'
import { HelpFrame } from './HelpFrame.tsx'
import { HelpProblem } from './HelpProblem.tsx'

type Props = { session: FollowedAppointment; dispatch: HelpDispatch; onChanged(): void }

/** Shows which practitioner is being asked and how long they have to answer, and lets the client stop the search. */
export function Asking({ session, dispatch, onChanged }: Props) {
  const { practitioner, answer_by, asked, can_stop, money } = dispatch
  const [isAsking, setAsking] = useState(false)
  // If a practitioner has accepted meanwhile, there is nothing left to stop, which the page then shows.
  const stop = useAction('POST /appointment/cancel-session', { invalidates: [helpRoot()] })
  const name = practitioner?.full_name ?? 'the next therapist'
  return (
    <HelpFrame
      step="asking"
      title="We are asking a therapist"
      lead="You do not have to do anything now. You can leave this page and come back to it."
      here="Booking"
    >
      <Card className="flex flex-col gap-4">
        <ol className="flex flex-col gap-4">
          <Step state="done">
            <p className="font-semibold">{formatPounds(money.amount)} reserved on your card</p>
            <p className="text-sm text-soft">Nothing is charged until someone accepts.</p>
          </Step>
          {asked > 1 && (
            <Step state="done">
              <p className="font-semibold">{beforeLabel(asked - 1)}</p>
              <p className="text-sm text-soft">We asked the next therapist straight away.</p>
            </Step>
          )}
          <Step state="now">
            <p aria-live="polite" className="font-semibold">
              Asking {name}
            </p>
            {answer_by && (
              <Countdown
                until={answer_by}
                label="Time left to accept"
                onEnd={onChanged}
                className="text-sm text-soft"
              />
            )}
          </Step>
          <Step state="later">
            <p className="text-soft">Your session begins, with a private chat</p>
          </Step>
        </ol>
      </Card>
      {practitioner && <FoundTherapist practitioner={practitioner} />}
      {can_stop && (
        <div className="flex flex-col items-start gap-2">
          <Button variant="secondary" onPress={() => setAsking(true)}>
            Stop the search
          </Button>
          <p className="text-sm text-soft">It costs you nothing until someone has accepted.</p>
        </div>
      )}
      {isAsking && (
        <ActionDialog
          onClose={() => setAsking(false)}
          title="Stop the search?"
          confirmLabel="Stop the search"
          cancelLabel="Keep waiting"
          onConfirm={() => stop.send({ body: { appointment_id: session.session_id } })}
          renderFailure={(error) => <HelpProblem error={error} />}
        >
          <p>
            We stop asking, and the {formatPounds(money.amount)} on your card is released. It costs you
            nothing.
          </p>
        </ActionDialog>
      )}
    </HelpFrame>
  )
}

function beforeLabel(count: number): string {
  return count === 1 ? 'One therapist could not take it' : `${count} therapists could not take it`
}

function Step({ state, children }: { state: 'done' | 'now' | 'later'; children: React.ReactNode }) {
  return (
    <li className="flex gap-4" aria-current={state === 'now' ? 'step' : undefined}>
      <span
        aria-hidden
        className="mt-0.5 grid size-7 shrink-0 place-items-center rounded-full border border-edge text-action"
      >
        {state === 'done' && <IconCheck size={18} stroke={3} />}
        {state === 'now' && <Spinner size={18} />}
      </span>
      <div className="flex min-w-0 flex-col">
        {state === 'done' && <span className="sr-only">Done:</span>}
        {children}
      </div>
    </li>
  )
}
