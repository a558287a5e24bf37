import { useEffect, useRef } from 'react'
import { messageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/Button.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import type { SaveProblem, ScheduleDraft } from './use-schedule-draft.ts'

/** Why the schedule is not saved, and the ways on. What was edited stays. */
export function SaveOutcome({ schedule, onSaved }: { schedule: ScheduleDraft; onSaved(): void }) {
  const { problem } = schedule
  const place = useRef<HTMLDivElement>(null)
  // It may have come up below what is in sight.
  useEffect(() => {
    if (problem) place.current?.scrollIntoView({ block: 'nearest' })
  }, [problem])
  return (
    <div ref={place} className="empty:hidden">
      {problem && <Problem problem={problem} schedule={schedule} onSaved={onSaved} />}
    </div>
  )
}

function Problem({
  problem,
  schedule,
  onSaved,
}: {
  problem: SaveProblem
  schedule: ScheduleDraft
  onSaved(): void
}) {
  const { isSaving, readError } = schedule
  if (problem.kind === 'elsewhere') {
    return (
      <Alert
        tone="warning"
        live="assertive"
        title="Your schedule was saved in another window"
        actions={
          <>
            <Button variant="secondary" size="small" onPress={() => void schedule.takeSaved()}>
              Show the saved one
            </Button>
            <Button
              variant="secondary"
              size="small"
              isPending={isSaving}
              onPress={() => void schedule.saveOver().then((isSaved) => isSaved && onSaved())}
            >
              Save this one instead
            </Button>
          </>
        }
      >
        <p>Nothing is lost: the other one is saved, and what you chose here is still on this page.</p>
        {readError !== undefined && <p className="mt-1 font-semibold">{messageOf(readError)}</p>}
      </Alert>
    )
  }
  const [first, ...others] = problem.messages
  const isList = problem.kind === 'places'
  return (
    <Alert
      tone="danger"
      live="assertive"
      title={isList ? 'Some face-to-face hours need a place' : 'Your schedule was not saved'}
    >
      {isList && others.length > 0 ? (
        <ul className="list-disc pl-5">
          {problem.messages.slice(0, shownProblems).map((message) => (
            <li key={message}>{message}</li>
          ))}
          {problem.messages.length > shownProblems && (
            <li>{problem.messages.length - shownProblems} more, on other hours and days.</li>
          )}
        </ul>
      ) : (
        first
      )}
    </Alert>
  )
}

const shownProblems = 6
