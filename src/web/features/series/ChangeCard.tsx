import { useState } from 'react'
import type { Series } from '#contract/series/series.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { type CardsToPay, CardToPay } from '#web/ui/CardToPay.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { hourLabel } from './series-labels.ts'
import { everything } from './series-queries.ts'

type Props = { series: Series; cards: CardsToPay; onClose(): void }

/** Another saved card for the sessions of a series. */
export function ChangeCard({ series, cards, onClose }: Props) {
  const [lacksCard, setLacksCard] = useState(false)
  const save = useAction('PUT /series/{series_id}/card', {
    invalidates: everything,
    onDone() {
      onClose()
      showToast('Your next sessions are paid with this card.')
    },
  })
  function choose(): void {
    setLacksCard(cards.chosenId === undefined)
    if (cards.chosenId === undefined) return
    save.start({ params: { series_id: series.series_id }, body: { customer_id: cards.chosenId } })
  }
  return (
    <Dialog
      isStubborn={save.isPending}
      onClose={onClose}
      look="side"
      title="Change card"
      footer={
        <>
          <Button isPending={save.isPending} pendingLabel="Saving" onPress={choose}>
            Use this card
          </Button>
          <Button variant="secondary" isDisabled={save.isPending} onPress={onClose}>
            Go back
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <p>{`It pays ${hourLabel(series)} with ${series.practitioner.full_name} from the next payment on. Nothing is charged now.`}</p>
        <CardToPay cards={cards} isFramed />
        {lacksCard && cards.chosenId === undefined && (
          <Alert tone="warning" live="assertive">
            Add or choose a card first.
          </Alert>
        )}
        <ErrorAlert title="The card has not changed" error={save.error} />
      </div>
    </Dialog>
  )
}
