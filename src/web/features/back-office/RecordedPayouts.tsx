import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { PayoutReversalReason, RecordedPayout } from '#contract/back-office/practitioners.ts'
import { formatPounds } from '#web/lib/money.ts'
import { pageIn } from '#web/lib/search-params.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { ListFrame } from './ListFrame.tsx'
import { recordedPayoutsQuery } from './admin-queries.ts'
import { formatInstant } from './admin-labels.ts'
import { ReversePayoutDialog } from './ReversePayoutDialog.tsx'
import { SearchField } from './SearchField.tsx'
import { StateTag } from './StateTag.tsx'
import { useOutcome } from './use-outcome.tsx'
import { useRowDialog } from './use-row-dialog.tsx'
import { wordsIn } from './words-in.ts'

const reversedLabels: Record<PayoutReversalReason, string> = {
  returned_by_bank: 'Returned by the bank',
  recorded_wrongly: 'Recorded wrongly',
}

/** Payouts that were recorded, each of which can be reversed. */
export function RecordedPayouts() {
  const [params] = useSearchParams()
  const search = wordsIn(params)
  const page = pageIn(params)
  const { outcome, onDecided } = useOutcome(`${search} ${page}`)
  const { open, dialog } = useRowDialog<RecordedPayout>((payout, onClose) => (
    <ReversePayoutDialog payout={payout} onReversed={onDecided} onClose={onClose} />
  ))
  const hrefFor = (at: number) =>
    `/admin/payouts?${new URLSearchParams({ show: 'recorded', ...(search && { search }), page: String(at) }).toString()}`
  return (
    <div className="flex flex-col gap-6">
      <SearchField
        key={search}
        label="Name or bank reference"
        name="search"
        value={search}
        kept={{ show: 'recorded' }}
      />
      {outcome}
      <ListFrame
        query={useQuery(recordedPayoutsQuery(search, page))}
        label="Payouts"
        empty={
          search
            ? { title: 'Nothing matches', words: 'Try part of the practitioner’s name or of the reference.' }
            : { title: 'Nothing paid out yet', words: 'Payouts appear here once they are recorded.' }
        }
        hrefFor={hrefFor}
      >
        {(payout) => <RecordedCard key={payout.payout_id} payout={payout} onReverse={() => open(payout)} />}
      </ListFrame>
      {dialog}
    </div>
  )
}

function RecordedCard({ payout, onReverse }: { payout: RecordedPayout; onReverse(): void }) {
  const { practitioner_id, full_name, amount, reference, paid_out_at, reversal } = payout
  return (
    <li className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 shadow-low sm:p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-[min(14rem,100%)] grow basis-0">
          <h2 className="text-xl">
            <TextLink to={`/admin/practitioner?id=${practitioner_id}`}>{full_name}</TextLink>
          </h2>
          <p className="break-words">
            <span className="font-semibold tabular-nums">{formatPounds(amount)}</span>
            {`, ${reference}`}
          </p>
          <p className="text-sm text-soft">{`Recorded ${formatInstant(paid_out_at)}`}</p>
          {reversal && (
            <p className="text-sm text-soft">
              {`${reversedLabels[reversal.reason]}. Owed again since ${formatInstant(reversal.reversed_at)}`}
            </p>
          )}
        </div>
        <StateTag tone={reversal ? 'plain' : 'good'}>{reversal ? 'Reversed' : 'Paid out'}</StateTag>
      </div>
      {!reversal && (
        <div>
          <Button
            size="small"
            variant="secondary"
            aria-label={`Reverse the payout ${reference} to ${full_name}`}
            onPress={onReverse}
          >
            Reverse
          </Button>
        </div>
      )}
    </li>
  )
}
