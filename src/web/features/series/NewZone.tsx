import type { Series } from '#contract/series/series.ts'
import { zoneCity } from '#contract/zone-names.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { hourLabel, newHourLabel } from './series-labels.ts'
import { everything } from './series-queries.ts'

type Props = { series: Series; zone: NonNullable<Series['new_zone']> }

/** The practitioner has moved to another zone: the hour stays, and both say whether it still works. */
export function NewZone({ series, zone }: Props) {
  const { you, practitioner, client_name: client, can } = series
  const isClient = you === 'client'
  const confirm = useAction('POST /series/{series_id}/confirm-zone', {
    invalidates: everything,
    onDone: () => showToast(`Thank you. ${isClient ? 'Your' : 'The'} hour stays as it is.`),
  })
  const whose = isClient ? `${hourLabel(series)} with ${practitioner.full_name}` : `the hour of ${client}`
  return (
    <>
      <Alert
        tone={can.confirm_zone ? 'warning' : 'info'}
        title={can.confirm_zone ? `Does ${isClient ? 'your' : 'this'} hour still work for you?` : undefined}
        actions={
          can.confirm_zone && (
            <Button
              size="small"
              isPending={confirm.isPending}
              aria-label={`It works for me: ${whose}`}
              onPress={() =>
                confirm.start({ params: { series_id: series.series_id }, body: { timezone: zone.timezone } })
              }
            >
              It works for me
            </Button>
          )
        }
      >
        {isClient ? clientLabel(series, zone) : practitionerLabel(series, zone)}
      </Alert>
      <ErrorAlert title="Your answer is not saved" error={confirm.error} />
    </>
  )
}

function clientLabel(
  { practitioner: { first_name: name }, rhythm, dates }: Series,
  zone: Props['zone'],
): string {
  const next = dates[0]?.rhythm_starts_at
  return `${name} is on ${zoneCity(zone.timezone)} time now. Your hour stays ${rhythm.start}, ${zoneCity(rhythm.timezone)} time${next ? `: that is ${newHourLabel(next, rhythm, zone.timezone)} for ${name}` : ''}.`
}

function practitionerLabel({ client_name: client, rhythm, dates }: Series, zone: Props['zone']): string {
  const next = dates[0]?.rhythm_starts_at
  return `For ${client} it stays ${rhythm.start}, ${zoneCity(rhythm.timezone)} time${next ? `: that is ${newHourLabel(next, rhythm, zone.timezone)}, ${zoneCity(zone.timezone)} time` : ''}. ${zone.confirmed_by_client ? `${client} has said that it works.` : `We have asked ${client} too.`}`
}
