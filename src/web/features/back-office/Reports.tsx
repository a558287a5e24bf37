import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Report, ReportState } from '#contract/reviews.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { ChoiceLinks } from './ChoiceLinks.tsx'
import { ListFrame } from './ListFrame.tsx'
import { reportsQuery } from './admin-queries.ts'
import { decisionLabel, formatInstant, hideLabels } from './admin-labels.ts'
import { ReasonDialog } from './ReasonDialog.tsx'
import { useOutcome } from './use-outcome.tsx'
import { useRowDialog } from './use-row-dialog.tsx'
import { useShown } from './use-shown.ts'

const stateLabels: Record<ReportState, string> = {
  open: 'Open',
  hidden: 'Hidden',
  dismissed: 'Dismissed',
}

/** What people reported, each review or reply once, to be hidden, dismissed, or shown again. */
export function Reports() {
  const { show: status, page, hrefFor, choices } = useShown('/admin/reports?', stateLabels)
  const query = useQuery(reportsQuery(status, page))
  const { outcome, onDecided } = useOutcome(status)
  const { open, dialog } = useRowDialog<Report>((report, onClose) => (
    <HideDialog report={report} onDecided={onDecided} onClose={onClose} />
  ))
  /** Beside the list: a report that another admin has decided on leaves it. */
  const [refused, setRefused] = useState<{ error: unknown; status: ReportState }>()
  return (
    <div className="flex flex-col gap-6">
      <ChoiceLinks label="Which reports" choices={choices} />
      {outcome}
      <ErrorAlert
        title="Nothing was changed"
        error={refused?.status === status ? refused.error : undefined}
      />
      <ListFrame
        query={query}
        label="Reports"
        empty={{
          title: status === 'open' ? 'No open reports' : 'No reports to show',
          words: 'Reports about reviews and replies appear here.',
        }}
        hrefFor={hrefFor}
      >
        {(report) => (
          <ReportCard
            key={report.report_id}
            report={report}
            onHide={() => open(report)}
            onDecided={onDecided}
            onRefused={(error) => setRefused({ error, status })}
          />
        )}
      </ListFrame>
      {dialog}
    </div>
  )
}

type CardProps = {
  report: Report
  onHide(): void
  onDecided(text: string): void
  /** `undefined` once it is tried again. */
  onRefused(error: unknown): void
}

function ReportCard({ report, onHide, onDecided, onRefused }: CardProps) {
  const { review, about } = report
  const reports = [report, ...report.others]
  const decision = decisionLabel(report)
  const what = about === 'review' ? 'review' : 'reply'
  const whose = `${review.reviewer} about ${report.practitioner.full_name}, ${formatInstant(review.date)}`
  const params = { id: report.report_id }
  const keep = (text: string) => ({ invalidates: [['admin', 'reports']], onDone: () => onDecided(text) })
  const dismiss = useAction('POST /admin/reports/{id}/dismiss', keep(`The ${what} stays.`))
  const restore = useAction('POST /admin/reports/{id}/restore', keep(`The ${what} is shown again.`))
  function decide(sent: Promise<unknown>): void {
    onRefused(undefined)
    void sent.catch(onRefused)
  }

  return (
    <li className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 shadow-low sm:p-5">
      <div>
        <h2 className="text-xl">
          {`${about === 'review' ? 'A review' : 'A reply to a review'} by ${review.reviewer}`}
        </h2>
        {decision && <p className="text-sm break-words text-soft">{decision}</p>}
        {report.decision_reason && (
          <p className="text-sm break-words">{`Reason: ${report.decision_reason}`}</p>
        )}
        {report.status === 'open' && reports.length > 1 && (
          <p className="text-sm">{`Your decision closes ${reports.length === 2 ? 'both' : `all ${reports.length}`} reports of it.`}</p>
        )}
      </div>
      {reports.map(({ report_id, reason, created_at, reporter }) => (
        <div key={report_id}>
          {reason && <p className="break-words">{`“${reason}”`}</p>}
          <p className="text-sm break-words text-soft">
            {`Reported ${formatInstant(created_at)} by ${reporter.name ? `${reporter.name} (${reporter.is})` : 'an account that has been deleted since'}`}
          </p>
        </div>
      ))}
      <blockquote className="flex flex-col gap-2 border-l-4 border-line pl-4">
        <p className="text-sm text-soft">
          {`${review.rating} out of 5, about `}
          <TextLink to={`/admin/practitioner?id=${report.practitioner.practitioner_id}`}>
            {report.practitioner.full_name}
          </TextLink>
        </p>
        <p className="break-words">{review.comment}</p>
        {review.reply && <p className="break-words">{`Reply: ${review.reply}`}</p>}
      </blockquote>
      <div className="flex flex-wrap gap-3">
        {report.status !== 'hidden' && (
          <Button size="small" variant="danger" aria-label={`Hide the ${what}: ${whose}`} onPress={onHide}>
            {`Hide the ${what}`}
          </Button>
        )}
        {report.status === 'open' && (
          <Button
            size="small"
            variant="secondary"
            aria-label={`Keep the ${what}: ${whose}`}
            isPending={dismiss.isPending}
            onPress={() => decide(dismiss.send({ params, body: { shown: shownOf(report) } }))}
          >
            {`Keep the ${what}`}
          </Button>
        )}
        {report.status === 'hidden' && (
          <Button
            size="small"
            variant="secondary"
            aria-label={`Show the ${what} again: ${whose}`}
            isPending={restore.isPending}
            onPress={() => decide(restore.send({ params }))}
          >
            {`Show the ${what} again`}
          </Button>
        )}
      </div>
    </li>
  )
}

/** What was read before a decision. */
const shownOf = ({ about, review, open_reports }: Report) => ({
  edited_at: about === 'reply' ? review.reply_edited_at : review.edited_at,
  open_reports,
})

function HideDialog({
  report,
  onDecided,
  onClose,
}: {
  report: Report
  onDecided(text: string): void
  onClose(): void
}) {
  const what = report.about === 'review' ? 'review' : 'reply'
  const hide = useAction('POST /admin/reports/{id}/hide', {
    invalidates: [['admin', 'reports']],
    onDone: () => onDecided(`The ${what} is hidden.`),
  })
  return (
    <ReasonDialog
      title={`Hide this ${what}?`}
      {...hideLabels(report)}
      confirmLabel="Hide it"
      limits={limitsOf('POST /admin/reports/{id}/hide', 'reason')}
      onConfirm={(reason) =>
        hide.send({ params: { id: report.report_id }, body: { reason, shown: shownOf(report) } })
      }
      onClose={onClose}
    />
  )
}
