import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { FilterPanel, type FilterPanelProps } from './FilterPanel.tsx'

export type FilterDialogProps = Omit<FilterPanelProps, 'id'> & {
  isOpen: boolean
  onClose(): void
  /** What pressing the button leads to: 'Show 12 practitioners'. */
  showLabel: string
  isPending: boolean
}

/** The filter panel on a phone. Results change behind it; closing it shows them. */
export default function FilterDialog({ isOpen, onClose, showLabel, isPending, ...panel }: FilterDialogProps) {
  return (
    <Dialog
      look="side"
      title="Filter results"
      isOpen={isOpen}
      onClose={onClose}
      footer={
        <Button onPress={onClose} isPending={isPending} pendingLabel="Counting" fullWidth>
          {showLabel}
        </Button>
      }
    >
      <FilterPanel {...panel} />
    </Dialog>
  )
}
