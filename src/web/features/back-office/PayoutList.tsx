import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Payable } from '#contract/back-office/practitioners.ts'
import { formatPounds } from '#web/lib/money.ts'
import { pageIn } from '#web/lib/search-params.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { ListFrame } from './ListFrame.tsx'
import { payoutsQuery } from './admin-queries.ts'
import { formatInstant } from './admin-labels.ts'
import { PayoutDialog } from './PayoutDialog.tsx'

/** What is owed to practitioners, each of which can be marked as paid out. */
export function PayoutList() {
  const [params] = useSearchParams()
  const page = pageIn(params)
  return (
    <ListFrame
      query={useQuery(payoutsQuery(page))}
      label="Payouts"
      empty={{
        title: 'Nothing is owed',
        words:
          'What clients pay for sessions is owed to practitioners, and is listed here until it is paid out.',
      }}
      hrefFor={(at) => `/admin/payouts?page=${at}`}
    >
      {(payable) => <PayableCard key={payable.practitioner_id} payable={payable} />}
    </ListFrame>
  )
}

function PayableCard({ payable }: { payable: Payable }) {
  const [isPaying, setPaying] = useState(false)
  const { practitioner_id, full_name, email, owed, held, paid_out_at } = payable
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
      {payable.payable > 0 && (
        <div>
          <Button
            size="small"
            variant="secondary"
            aria-label={`Mark as paid out to ${full_name}`}
            onPress={() => setPaying(true)}
          >
            Mark as paid out
          </Button>
        </div>
      )}
      {isPaying && <PayoutDialog payable={payable} onClose={() => setPaying(false)} />}
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
