import { foundTherapistsPath } from '#web/lib/site.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { BookToday } from './BookToday.tsx'
import { texts } from './help-labels.ts'
import { HelpFrame } from './HelpFrame.tsx'

/** While the server looks. */
export function LookingAround() {
  return (
    <HelpFrame step="searching" title="Finding someone for you" here="Booking">
      <Card>
        <output className="flex items-center gap-4">
          <span aria-hidden className="text-action">
            <Spinner size={28} />
          </span>
          <span>{texts.searching}</span>
        </output>
      </Card>
    </HelpFrame>
  )
}

type Props = { issueId: number; error: unknown; isSearching: boolean; onSearch(): void }

/** Shown when no practitioner is free, or when the search failed. The client has not paid yet, so no refund is promised. */
export function Busy({ issueId, error, isSearching, onSearch }: Props) {
  return (
    <HelpFrame step="busy" title={texts.busy} here="Booking">
      {error ? (
        <ErrorAlert title="The search did not go through" error={error} />
      ) : (
        <p className="text-lg text-soft">
          Nothing was charged. We keep looking while this page is open, and tell you as soon as someone is
          free. You can also book a session at a time that suits you.
        </p>
      )}
      <BookToday issueId={issueId} />
      <div className="flex flex-col gap-3 sm:flex-row">
        <ButtonLink to={foundTherapistsPath}>{texts.others}</ButtonLink>
        <Button variant="secondary" onPress={onSearch} isPending={isSearching} pendingLabel="Searching again">
          Search again
        </Button>
      </div>
    </HelpFrame>
  )
}
