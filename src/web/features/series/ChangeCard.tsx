import { useState } from 'react'
import type { Series } from '#contract/series/series.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import type { CardsForSeries } from './AgreeForm.tsx'
import { hourLabel } from './series-labels.ts'
import { everything } from './series-queries.ts'

type Props = { series: Series; cards: CardsForSeries; onClose(): void }

/** Another saved card for the sessions of a series. */
export function ChangeCard({ series, cards, onClose }: Props) {
  const [isAdding, setAdding] = useState(false)
  const [lacksCard, setLacksCard] = useState(false)
  const isFormShown = isAdding || cards.count === 0
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
      isOpen
      isStubborn={save.isPending}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
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
        <p>{`It pays ${hourLabel(series.rhythm)} with ${series.practitioner.full_name} from the next payment on. Nothing is charged now.`}</p>
        {cards.choice}
        {isFormShown ? (
          <section aria-label="Adding new card" className="rounded-lg border border-line bg-surface p-4">
            {cards.renderForm(() => setAdding(false))}
          </section>
        ) : (
          <Button variant="secondary" onPress={() => setAdding(true)}>
            Use another card
          </Button>
        )}
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
