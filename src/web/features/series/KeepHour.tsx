import { IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EveryWeeks } from '#contract/series/series.ts'
import { Card } from '#web/ui/Card.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { everyWeeksOf, everyWeeksOptions, hourLabel } from './series-labels.ts'
import { keepHourPath } from '#web/lib/series-paths.ts'
import { previewQuery } from './series-queries.ts'

/** After a booking: whether the client would like the same hour again. Nothing where it cannot be kept. */
export function KeepHour({ appointmentId }: { appointmentId: string }) {
  const [everyWeeks, setEveryWeeks] = useState<EveryWeeks>(1)
  const { data } = useQuery(previewQuery(appointmentId, 1))
  if (!data) return null
  return (
    <Card as="section" aria-labelledby="keep-hour" className="flex w-full flex-col gap-4 print:hidden">
      <div>
        <h2 id="keep-hour" className="flex items-center gap-2.5 text-2xl">
          <IconRepeat aria-hidden size={26} className="shrink-0 text-action" />
          {`Keep ${hourLabel(data)}?`}
        </h2>
        <p className="mt-1 text-soft">
          {`The same hour with ${data.practitioner.first_name}, reserved for you. You pay each session by itself two days before it, and can skip, move or end it.`}
        </p>
      </div>
      <RadioGroup
        label="How often"
        isLabelHidden
        name="every_weeks"
        value={String(everyWeeks)}
        onChange={(value) => setEveryWeeks(everyWeeksOf(value))}
        options={everyWeeksOptions}
      />
      <div>
        <ButtonLink to={keepHourPath(appointmentId, everyWeeks)} variant="secondary">
          See the dates
        </ButtonLink>
      </div>
    </Card>
  )
}
