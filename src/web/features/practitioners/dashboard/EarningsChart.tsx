import type { DashboardOverview } from '#contract/practitioners/dashboard.ts'
import { formatPounds } from '#web/lib/money.ts'
import { Card } from '#web/ui/Card.tsx'

const long = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const short = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' })
const dayOf = (month: string) => new Date(`${month}-01T00:00:00Z`)

type Props = { months: DashboardOverview['earnings']; owed: number }

/** A year of earnings as bars, with the same figures as a table. */
export function EarningsChart({ months, owed }: Props) {
  const current = months.at(-1)
  const total = months.reduce((sum, { amount }) => sum + amount, 0)
  const highest = Math.max(...months.map(({ amount }) => amount), 0)
  return (
    <Card as="section" aria-labelledby="earnings" className="flex flex-col gap-5">
      <div>
        <h2 id="earnings" className="text-2xl">
          Earnings
        </h2>
        <p className="mt-1 text-sm text-soft">
          Fees for sessions that have begun and were not cancelled, less what was refunded to clients, by
          month of the session. All of it is yours.
        </p>
      </div>
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        <Sum name="This month" amount={current?.amount ?? 0} />
        <Sum name="Last 12 months" amount={total} />
        <Sum
          name="Owed to you"
          amount={Math.max(0, owed)}
          note={
            owed < 0
              ? `We paid you ${formatPounds(-owed)} more than you have earned. It comes off your next payout.`
              : 'Including paid sessions to come'
          }
        />
      </dl>
      {highest > 0 ? (
        <Bars months={months} highest={highest} />
      ) : (
        <p className="text-soft">Your earnings appear here after your first session.</p>
      )}
      {total > 0 && <Table months={months} />}
    </Card>
  )
}

function Sum({ name, amount, note }: { name: string; amount: number; note?: string }) {
  return (
    <div>
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="font-serif text-2xl tabular-nums">{formatPounds(amount)}</dd>
      {note && <dd className="text-sm text-soft">{note}</dd>}
    </div>
  )
}

/** For the eye alone: the table says the same. */
function Bars({ months, highest }: { months: Props['months']; highest: number }) {
  return (
    <div aria-hidden className="grid grid-cols-12 items-end gap-1 sm:gap-2">
      {months.map(({ month, amount }, at) => (
        <div key={month} className="flex min-w-0 flex-col items-center gap-1">
          <span className="hidden text-xs text-soft tabular-nums sm:block">
            {amount > 0 && formatPounds(Math.round(amount))}
          </span>
          <svg viewBox="0 0 10 100" preserveAspectRatio="none" className="h-36 w-full">
            <rect x="0" y="99" width="10" height="1" className="fill-line" />
            <rect
              x="0"
              y={100 - barHeight(amount, highest)}
              width="10"
              height={barHeight(amount, highest)}
              className={
                at === months.length - 1
                  ? 'fill-action forced-colors:fill-[Highlight]'
                  : 'fill-drawing-sage forced-colors:fill-[CanvasText]'
              }
            />
          </svg>
          <span className="text-xs text-soft">
            <span className="sm:hidden">{short.format(dayOf(month)).slice(0, 1)}</span>
            <span className="hidden sm:inline">{short.format(dayOf(month))}</span>
          </span>
        </div>
      ))}
    </div>
  )
}

/** Of a hundred. The smallest amount can still be seen. */
const barHeight = (amount: number, highest: number) =>
  amount <= 0 ? 0 : Math.max(3, (amount / highest) * 100)

function Table({ months }: { months: Props['months'] }) {
  return (
    <details className="@container">
      <summary className="inline-flex min-h-11 cursor-pointer items-center rounded-sm text-action underline underline-offset-4">
        Show as a table
      </summary>
      <table className="mt-2 w-full text-left">
        <caption className="sr-only">Earnings by month</caption>
        <thead className="text-sm text-soft">
          <tr className="headed-row">
            <th scope="col" className="py-2 font-normal">
              Month
            </th>
            <th scope="col" className="py-2 text-right font-normal">
              Sessions
            </th>
            <th scope="col" className="py-2 text-right font-normal">
              Earned
            </th>
          </tr>
        </thead>
        <tbody className="tabular-nums">
          {months.toReversed().map(({ month, amount, sessions }) => (
            <tr key={month} className="headed-row last:border-b-0">
              <th scope="row" className="py-2 font-normal">
                {long.format(dayOf(month))}
              </th>
              <td className="py-2 text-right">{sessions}</td>
              <td className="py-2 text-right">{formatPounds(amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
