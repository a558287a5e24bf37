import { useQuery } from '@tanstack/react-query'
import type { Balance } from '#contract/subscriptions/subscriptions.ts'
import { callApiForFile } from '#web/lib/api.ts'
import { formatPounds } from '#web/lib/money.ts'
import { FileButton } from '#web/ui/FileButton.tsx'
import { classes } from '#web/ui/classes.ts'
import { Loading } from '#web/ui/Skeleton.tsx'
import { monthName } from './billing-labels.ts'
import { balanceQuery } from './subscription-queries.ts'
import { QueryError } from '#web/ui/QueryError.tsx'

/** What clients paid and what of it is owed, with a statement for each month. */
export function BalancePanel() {
  const query = useQuery(balanceQuery())
  const { data, error } = query
  if (data) return <Sums balance={data} />
  if (!error) {
    return <Loading label="Loading your balance" skeleton="h-56 rounded-xl" />
  }
  return <QueryError level={3} title="Your balance did not load" query={query} />
}

function Sums({ balance }: { balance: Balance }) {
  const lines = [
    { label: 'Paid by clients', amount: balance.paid_by_clients },
    { label: 'Refunded to clients', amount: -balance.refunded },
    ...(balance.returned_after_disputes > 0
      ? [{ label: 'Returned by clients’ banks after disputes', amount: -balance.returned_after_disputes }]
      : []),
    { label: 'Referral discounts, paid by us', amount: balance.discounts_borne_by_us },
    ...(balance.paid_out > 0 ? [{ label: 'Paid out to you', amount: -balance.paid_out }] : []),
    {
      label: balance.owed < 0 ? 'Paid beyond what you earned: off your next payout' : 'Owed to you in full',
      amount: balance.owed,
      isSum: true,
    },
    ...(balance.held > 0
      ? [
          { label: 'Held for now', amount: -balance.held },
          { label: 'Ready to be paid out', amount: Math.max(0, balance.owed - balance.held), isSum: true },
        ]
      : []),
  ]
  return (
    <div className="flex flex-col gap-6">
      <dl className="rounded-xl border border-line bg-surface px-5 py-2 shadow-low sm:px-6">
        {lines.map(({ label, amount, isSum }) => (
          <div
            key={label}
            className={classes(
              'flex items-baseline justify-between gap-4 border-line py-3 not-first:border-t',
              isSum && 'text-lg font-semibold',
            )}
          >
            <dt>{label}</dt>
            <dd className="whitespace-nowrap tabular-nums">{formatPounds(amount)}</dd>
          </div>
        ))}
      </dl>
      {balance.held > 0 && (
        <p className="-mt-3 text-sm text-soft">
          Money for a session may go back to its client: it is held until a day after it, and for longer while
          a missed session or a payment is disputed.
        </p>
      )}
      {balance.payouts_withheld && (
        <p className="-mt-3 text-sm text-soft">Because of a suspension, nothing is paid out for now.</p>
      )}
      <div>
        <h3 className="text-lg">Monthly statements</h3>
        {balance.months.length === 0 ? (
          <p className="mt-1 text-soft">Your first one appears once a client has paid for a session.</p>
        ) : (
          <ul className="mt-3 overflow-hidden rounded-xl border border-line bg-surface shadow-low">
            {balance.months.map((month) => (
              <li
                key={month}
                className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line px-5 py-3 not-first:border-t sm:px-6"
              >
                <span className="grow">{monthName(month)}</span>
                <div className="flex flex-wrap gap-3">
                  {(['pdf', 'csv'] as const).map((format) => (
                    <FileButton
                      key={format}
                      label={format.toUpperCase()}
                      name={`Statement for ${monthName(month)} as ${format.toUpperCase()}`}
                      fetchFile={() =>
                        callApiForFile('GET /therapist/statements/{month}', {
                          params: { month },
                          query: { format },
                        })
                      }
                    />
                  ))}
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
