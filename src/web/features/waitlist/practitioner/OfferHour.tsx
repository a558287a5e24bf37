import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WaitingClient } from '#contract/waitlist/waitlist.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatDay, formatDayAndTime } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { therapistWaitlistKey } from '../waitlist-queries.ts'

type Props = {
  startsAt: string
  timezone: string
  /** The longest waiting first. */
  candidates: readonly WaitingClient[]
  onClose(): void
}

/** Offers a free hour to one of those who would like it, out of turn. */
export function OfferHour({ startsAt, timezone, candidates, onClose }: Props) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState(candidates[0]?.entry_id ?? '')
  const when = formatDayAndTime(startsAt, timezone, serverNow())
  const offer = useAction('POST /therapist/waitlist/{id}/offer', {
    invalidates: [therapistWaitlistKey()],
    onDone({ initials }) {
      // The hour is free no more wherever the week is shown.
      void client.invalidateQueries({ queryKey: ['schedule'] })
      showToast(`An email is on its way to ${initials} now.`)
    },
  })
  return (
    <ActionDialog
      onClose={onClose}
      title="Offer this hour"
      confirmLabel="Offer it"
      cancelLabel="Go back"
      failureTitle="It was not offered"
      onConfirm={() => offer.send({ params: { id: chosen }, body: { starts_at: startsAt } })}
    >
      <p>
        <strong className="font-semibold">{when}</strong>. We email the client and hold the hour while they
        decide. If they say no, or do not answer, it goes back to the list.
      </p>
      <RadioGroup
        label="Who would you like to ask?"
        name="candidate"
        value={chosen}
        onChange={setChosen}
        options={candidates.map(({ entry_id, initials, service_name, since }) => ({
          value: entry_id,
          label: initials,
          description: `${service_name}, waiting since ${formatDay(since, timezone, serverNow())}`,
        }))}
      />
    </ActionDialog>
  )
}
