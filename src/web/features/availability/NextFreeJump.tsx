import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/lib/api-error.ts'
import { dayIn, formatTime } from '#web/lib/time.ts'
import { Loading } from '#web/ui/Skeleton.tsx'
import { JumpControl } from './JumpControl.tsx'
import { nextFreeQuery, type SlotQuestion } from './queries.ts'
import { dayLabel } from './weeks.ts'

export type NextFreeJumpProps = {
  question: SlotQuestion
  /** The day after the week that is empty. */
  from: string
  today: string
  /** What the server found already; null for nothing at all. */
  known: string | null | undefined
  onJump(day: string): void
  linkTo?: ((day: string) => string) | undefined
}

/** A week without free times: when the next one is, and the way there. */
export function NextFreeJump({ question, from, today, known, onJump, linkTo }: NextFreeJumpProps) {
  const next = useQuery({ ...nextFreeQuery(question, from), initialData: known })
  const { zone } = question
  const day = next.data && dayIn(next.data, zone)
  return (
    <div className="flex flex-col items-start gap-1">
      <p>No free times this week.</p>
      {next.isPending && <Loading label="Looking for the next free time" skeleton="my-2 h-6 w-64" />}
      {next.isError && (
        <>
          <p className="text-sm text-soft">{messageOf(next.error)}</p>
          <JumpControl day={from} label="Try again" onJump={() => void next.refetch()} />
        </>
      )}
      {next.data && day && (
        <JumpControl
          day={day}
          label={`Next free: ${dayLabel(day, today)}, ${formatTime(next.data, zone)}`}
          onJump={onJump}
          linkTo={linkTo}
        />
      )}
      {next.data === null && <p className="text-soft">There are no later free times at the moment either.</p>}
    </div>
  )
}
