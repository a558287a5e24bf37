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
  return (
    <div className="flex flex-col gap-6">
      <ChoiceLinks label="Which reports" choices={choices} />
      {outcome}
      <ListFrame
        query={query}
        label="Reports"
        empty={{
          title: status === 'open' ? 'No open reports' : 'No reports to show',
          words: 'Reports about reviews and replies appear here.',
        }}
        hrefFor={hrefFor}
      >
        {(report) => <ReportCard key={report.report_id} report={report} onDecided={onDecided} />}
      </ListFrame>
    </div>
  )
}

function ReportCard({ report, onDecided }: { report: Report; onDecided(text: string): void }) {
  const [isHiding, setHiding] = useState(false)
  const { review, about } = report
  const reports = [report, ...report.others]
  const decision = decisionLabel(report)
  const what = about === 'review' ? 'review' : 'reply'
  const params = { id: report.report_id }
  const keep = (text: string) => ({ invalidates: [['admin', 'reports']], onDone: () => onDecided(text) })
  const hide = useAction('POST /admin/reports/{id}/hide', keep(`The ${what} is hidden.`))
  const dismiss = useAction('POST /admin/reports/{id}/dismiss', keep(`The ${what} stays.`))
  const restore = useAction('POST /admin/reports/{id}/restore', keep(`The ${what} is shown again.`))

  return (
    <li className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 shadow-low sm:p-5">
      <div>
        <h2 className="text-xl">{about === 'review' ? 'A review' : 'A reply to a review'}</h2>
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
          <p className="break-words">{`“${reason}”`}</p>
          <p className="text-sm break-words text-soft">
            {`Reported ${formatInstant(created_at)} by ${reporter.name} (${reporter.is})`}
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
      <ErrorAlert title="Nothing was changed" error={dismiss.error ?? restore.error} />
      <div className="flex flex-wrap gap-3">
        {report.status === 'open' && (
          <>
            <Button size="small" variant="danger" onPress={() => setHiding(true)}>
              {`Hide the ${what}`}
            </Button>
            <Button
              size="small"
              variant="secondary"
              isPending={dismiss.isPending}
              onPress={() => dismiss.start({ params })}
            >
              {`Keep the ${what}`}
            </Button>
          </>
        )}
        {report.status === 'hidden' && (
          <Button
            size="small"
            variant="secondary"
            isPending={restore.isPending}
            onPress={() => restore.start({ params })}
          >
            {`Show the ${what} again`}
          </Button>
        )}
      </div>
      {isHiding && (
        <ReasonDialog
          title={`Hide this ${what}?`}
          {...hideLabels(report)}
          confirmLabel="Hide it"
          limits={limitsOf('POST /admin/reports/{id}/hide', 'reason')}
          onConfirm={(reason) => hide.send({ params, body: { reason } })}
          onClose={() => setHiding(false)}
        />
      )}
    </li>
  )
}
