import { useWatch } from 'react-hook-form'
import type { Series } from '#contract/series/series.ts'
import { limitedField, useForm } from '#web/lib/form.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { useKeptText } from '#web/lib/kept-text.ts'
import { useAction } from '#web/lib/use-action.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import type { SuccessWords } from '#web/ui/LiveRegion.tsx'
import { everything } from '../series-queries.ts'

type Props = { series: Series; onClose(): void; onSaid(said: SuccessWords): void }

const whatGoes = 'Sessions that are not paid yet are cancelled. Paid ones stay.'

/** Ends the hour of a client: with time to say goodbye, or at once with words for the client. */
export function EndWithCare({ series, onClose, onSaid }: Props) {
  const zone = viewerZone()
  const { client_name: client } = series
  const last = series.on_end.last_session_at
  const [reason, setReason] = useKeptText(`end-${series.series_id}`)
  const form = useForm({ defaultValues: { when: last ? 'later' : 'at_once', reason } })
  const when = useWatch({ control: form.control, name: 'when' })
  const isAtOnce = !last || when === 'at_once'
  const end = useAction('POST /therapist/series/{series_id}/end', { invalidates: everything })
  return (
    <FormDialog
      form={form}
      title={`End the hour of ${client}?`}
      submitLabel="End it"
      variant="danger"
      failureTitle="It has not ended"
      onClose={onClose}
      onSubmit={async (values) => {
        await end.send({
          params: { series_id: series.series_id },
          body: {
            at_once: isAtOnce,
            reason: values.reason.trim() || null,
            ...(!isAtOnce && { last_session_at: last }),
          },
        })
        setReason('')
        onSaid({
          title: `The hour of ${client} ${isAtOnce ? 'has ended' : 'is ending'}`,
          text: `We have told ${client}${isAtOnce ? '' : `, and that the last session is on ${formatDayAndTime(last, zone)}`}.`,
        })
      }}
    >
      <p>
        {last
          ? 'An ending is part of the work. One more session gives you both time to look back and to plan what comes next. If you can, speak about it with your client before you end it here.'
          : `It ends at once. ${whatGoes} If you can, speak about it with your client before you end it here.`}
      </p>
      {last && (
        <RadioGroup
          label="When"
          inputProps={form.register('when')}
          options={[
            {
              value: 'later',
              label: 'With the next session at this hour',
              description: `The last session is on ${formatDayAndTime(last, zone)}.`,
            },
            { value: 'at_once', label: 'At once', description: whatGoes },
          ]}
        />
      )}
      <TextArea
        label="A message to your client"
        isOptional={!isAtOnce}
        description={`${client} reads it in the email and in My Sessions.`}
        rows={4}
        {...limitedField(form, 'POST /therapist/series/{series_id}/end', 'reason', {
          onChange: ({ target }: { target: HTMLTextAreaElement }) => setReason(target.value),
          validate: (text: string | null | undefined) =>
            !isAtOnce || (text ?? '').trim() !== '' || 'Write a few words to your client.',
        })}
      />
    </FormDialog>
  )
}
