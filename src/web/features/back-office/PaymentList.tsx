import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { PaidFilter, PaidSession } from '#contract/back-office/payments.ts'
import { formatPounds } from '#web/lib/money.ts'
import { pageIn } from '#web/lib/search-params.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { ChoiceLinks } from './ChoiceLinks.tsx'
import { Incidents } from './Incidents.tsx'
import { LateReturns } from './LateReturns.tsx'
import { ListFrame } from './ListFrame.tsx'
import { paymentsQuery } from './admin-queries.ts'
import { formatInstant, seriesLabel } from './admin-labels.ts'
import { RefundDialog } from './RefundDialog.tsx'
import { SearchField } from './SearchField.tsx'
import { StateTag } from './StateTag.tsx'
import { useRowDialog } from './use-row-dialog.tsx'
import { wordsIn } from './words-in.ts'

const shows = ['all', 'refunded', 'refund_open'] as const satisfies readonly PaidFilter[]
const showLabels: Record<PaidFilter, string> = {
  all: 'All',
  refunded: 'With a refund',
  refund_open: 'Refund on its way',
}
const stateLabels: Record<PaidSession['status'], string> = {
  draft: 'Not booked yet',
  pending: 'Not booked yet',
  reserved: 'Reserved, not paid yet',
  confirmed: 'Booked',
  completed: 'Completed',
  cancelled: 'Cancelled',
  no_show: 'Did not take place',
  expired: 'Expired',
}

const refundLabels: Record<PaidSession['refunds'][number]['state'], string> = {
  requested: 'Refund on its way, since',
  succeeded: 'Refunded',
  failed: 'Returned by the bank',
  paid_otherwise: 'Refunded by bank transfer',
}
const disputeLabels: Record<PaidSession['disputes'][number]['state'], string> = {
  open: 'Disputed, not decided',
  won: 'Disputed and won',
  lost: 'Disputed and lost',
}

/** Sessions that were paid for, as the address says, each of which can be refunded once it is over. */
export function PaymentList() {
  const [params] = useSearchParams()
  const show = shows.find((each) => each === params.get('show')) ?? 'all'
  const search = wordsIn(params)
  const page = pageIn(params)
  const query = useQuery(paymentsQuery({ show, search, page }))
  const { open, dialog } = useRowDialog<PaidSession>((paid, onClose) => (
    <RefundDialog paid={paid} onClose={onClose} />
  ))
  const hrefOf = (wanted: PaidFilter, at: number) =>
    `/admin/payments?${new URLSearchParams({ show: wanted, ...(search && { search }), page: String(at) }).toString()}`
  return (
    <div className="flex flex-col gap-6">
      <LateReturns />
      <Incidents />
      <ChoiceLinks
        label="Which payments"
        choices={shows.map((each) => ({
          label: showLabels[each],
          to: hrefOf(each, 1),
          isChosen: each === show,
        }))}
      />
      <SearchField key={search} label="Name, email or session" name="search" value={search} kept={{ show }} />
      <ListFrame
        query={query}
        label="Payments"
        empty={{
          title: search ? 'Nothing matches' : 'Nothing here',
          words: search
            ? 'Try part of the client’s or practitioner’s name or email.'
            : 'What clients pay for sessions will appear here.',
        }}
        hrefFor={(at) => hrefOf(show, at)}
      >
        {(paid) => <PaidCard key={paid.session_id} paid={paid} onRefund={() => open(paid)} />}
      </ListFrame>
      {dialog}
    </div>
  )
}

function PaidCard({ paid, onRefund }: { paid: PaidSession; onRefund(): void }) {
  const { client, practitioner } = paid
  return (
    <li className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 shadow-low sm:p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-[min(14rem,100%)] grow basis-0">
          <h2 className="text-xl">{client.full_name}</h2>
          {client.email && <p className="text-sm break-all text-soft">{client.email}</p>}
          <p className="text-sm">
            {'with '}
            <TextLink to={`/admin/practitioner?id=${practitioner.practitioner_id}`}>
              {practitioner.full_name}
            </TextLink>
          </p>
          {paid.starts_at && <p className="text-sm text-soft">{formatInstant(paid.starts_at)}</p>}
          {paid.series && paid.starts_at && (
            <p className="text-sm text-soft">{seriesLabel(paid.series, paid.starts_at)}</p>
          )}
        </div>
        <StateTag tone={paid.status === 'cancelled' ? 'bad' : 'plain'}>{stateLabels[paid.status]}</StateTag>
      </div>
      <dl className="flex flex-col gap-1 border-t border-line pt-3">
        {paid.payments.map((payment) => (
          <Movement
            key={payment.at}
            label={`Paid ${formatInstant(payment.at)}, ${payment.card}`}
            amount={formatPounds(payment.amount)}
          />
        ))}
        {paid.refunds.map((refund) => (
          <Movement
            key={`${refund.at} ${refund.amount}`}
            label={`${refundLabels[refund.state]} ${formatInstant(refund.at)}: ${refund.reason}`}
            amount={refund.state === 'failed' ? formatPounds(0) : `−${formatPounds(refund.amount)}`}
          />
        ))}
        {paid.disputes.map((dispute) => (
          <Movement
            key={dispute.at}
            label={`${disputeLabels[dispute.state]}, since ${formatInstant(dispute.at)}`}
            amount={dispute.state === 'won' ? formatPounds(0) : `−${formatPounds(dispute.amount)}`}
          />
        ))}
      </dl>
      {paid.refundable > 0 && (
        <div>
          <Button
            size="small"
            variant="secondary"
            aria-label={`Refund ${client.full_name}`}
            onPress={onRefund}
          >
            Refund
          </Button>
        </div>
      )}
    </li>
  )
}

function Movement({ label, amount }: { label: string; amount: string }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="min-w-0 text-sm break-words">{label}</dt>
      <dd className="font-semibold whitespace-nowrap tabular-nums">{amount}</dd>
    </div>
  )
}
