import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { Payable } from '#contract/back-office/practitioners.ts'
import { formatPounds } from '#web/lib/money.ts'
import { pageIn } from '#web/lib/search-params.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { ListFrame } from './ListFrame.tsx'
import { payoutsQuery } from './admin-queries.ts'
import { causeLabels, formatInstant } from './admin-labels.ts'
import { PayoutDialog } from './PayoutDialog.tsx'
import { SearchField } from './SearchField.tsx'
import { StateTag } from './StateTag.tsx'
import { useOutcome } from './use-outcome.tsx'
import { useRowDialog } from './use-row-dialog.tsx'
import { wordsIn } from './words-in.ts'

/** What is owed to practitioners, each of which can be marked as paid out. */
export function PayoutList() {
  const [params] = useSearchParams()
  const search = wordsIn(params)
  const page = pageIn(params)
  const { outcome, onDecided } = useOutcome(`${search} ${page}`)
  const { open, dialog } = useRowDialog<Payable>((payable, onClose) => (
    <PayoutDialog payable={payable} onRecorded={onDecided} onClose={onClose} />
  ))
  return (
    <div className="flex flex-col gap-6">
      <SearchField key={search} label="Name or email" name="search" value={search} />
      {outcome}
      <ListFrame
        query={useQuery(payoutsQuery(search, page))}
        label="Payouts"
        empty={
          search
            ? { title: 'No one matches', words: 'Try part of the practitioner’s name or email.' }
            : {
                title: 'Nothing is owed',
                words:
                  'What clients pay for sessions is owed to practitioners, and is listed here until it is paid out.',
              }
        }
        hrefFor={(at) =>
          `/admin/payouts?${new URLSearchParams({ ...(search && { search }), page: String(at) }).toString()}`
        }
      >
        {(payable) => (
          <PayableCard key={payable.practitioner_id} payable={payable} onPay={() => open(payable)} />
        )}
      </ListFrame>
      {dialog}
    </div>
  )
}

function PayableCard({ payable, onPay }: { payable: Payable; onPay(): void }) {
  const { practitioner_id, full_name, email, owed, held, paid_out_at, suspended_for } = payable
  // What was transferred has its place in the books, also where nothing can be paid out.
  const label = payable.payable > 0 ? 'Mark as paid out' : 'Record a transfer'
  return (
    <li className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 shadow-low sm:p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-[min(14rem,100%)] grow basis-0">
          <h2 className="text-xl">
            <TextLink to={`/admin/practitioner?id=${practitioner_id}`}>{full_name}</TextLink>
          </h2>
          {email && <p className="text-sm break-all text-soft">{email}</p>}
          <p className="text-sm text-soft">
            {paid_out_at ? `Last paid out ${formatInstant(paid_out_at)}` : 'Never paid out'}
          </p>
          {suspended_for && (
            <p className="mt-2">
              <StateTag tone="bad">{`Suspended: ${causeLabels[suspended_for]}`}</StateTag>
            </p>
          )}
          {held > owed && (
            <p className="text-sm">
              {formatPounds(held - owed)} more was paid out than is earned so far. It comes off the next
              payout.
            </p>
          )}
        </div>
        <dl className="grid grid-cols-[auto_auto] gap-x-6 gap-y-1">
          <Amount label="Owed" pounds={owed} />
          <Amount label="Held back" pounds={held} />
          <Amount label="Can be paid out" pounds={payable.payable} isStrong />
        </dl>
      </div>
      <div>
        <Button size="small" variant="secondary" aria-label={`${label} to ${full_name}`} onPress={onPay}>
          {label}
        </Button>
      </div>
    </li>
  )
}

function Amount({ label, pounds, isStrong }: { label: string; pounds: number; isStrong?: boolean }) {
  return (
    <>
      <dt className={isStrong ? 'font-semibold' : 'text-soft'}>{label}</dt>
      <dd className={`text-right tabular-nums ${isStrong ? 'font-semibold' : ''}`}>{formatPounds(pounds)}</dd>
    </>
  )
}
