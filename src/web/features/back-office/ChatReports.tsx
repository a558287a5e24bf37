import { useQuery } from '@tanstack/react-query'
import type { ChatReport } from '#contract/back-office/chat-reports.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { ChoiceLinks } from './ChoiceLinks.tsx'
import { ListFrame } from './ListFrame.tsx'
import { chatReportsQuery } from './admin-queries.ts'
import { formatInstant, reportedLabel, settleLead } from './admin-labels.ts'
import { ReasonDialog } from './ReasonDialog.tsx'
import { useOutcome } from './use-outcome.tsx'
import { useRowDialog } from './use-row-dialog.tsx'
import { useShown } from './use-shown.ts'

/** What clients and practitioners reported of each other. Messages are read on asking alone, which is written down. */
export function ChatReports() {
  const shown = useShown('/admin/reports?about=chats&', { open: 'Open', settled: 'Settled' })
  const { show: status, page, hrefFor, choices } = shown
  const { outcome, onDecided } = useOutcome(status)
  const { open, dialog } = useRowDialog<ChatReport>((report, onClose) => (
    <SettleDialog report={report} onSettled={() => onDecided('The report is settled.')} onClose={onClose} />
  ))
  return (
    <div className="flex flex-col gap-6">
      <ChoiceLinks label="Which reports" choices={choices} />
      {outcome}
      <ListFrame
        query={useQuery(chatReportsQuery(status, page))}
        label="Reports of conversations"
        empty={{
          title: status === 'open' ? 'No open reports' : 'No reports to show',
          words: 'Reports about conversations appear here.',
        }}
        hrefFor={hrefFor}
      >
        {(report) => <ReportCard key={report.report_id} report={report} onSettle={() => open(report)} />}
      </ListFrame>
      {dialog}
    </div>
  )
}

function ReportCard({ report, onSettle }: { report: ChatReport; onSettle(): void }) {
  const look = useAction('POST /admin/chat-reports/{id}/look')
  const messages = look.answer
  const { reporter, about } = report
  const whose = `${reporter.name} about ${about.name}, ${formatInstant(report.created_at)}`
  const read =
    report.messages_count === 1
      ? 'Read the attached message'
      : `Read the ${report.messages_count} attached messages`
  const params = { id: report.report_id }
  return (
    <li className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 shadow-low sm:p-5">
      <div>
        <h2 className="text-xl">
          {'About '}
          {about.practitioner_id === null ? (
            about.name
          ) : (
            <TextLink to={`/admin/practitioner?id=${about.practitioner_id}`}>{about.name}</TextLink>
          )}
        </h2>
        <p className="text-sm break-words text-soft">{reportedLabel(about)}</p>
        <p className="text-sm break-words text-soft">
          {`Reported ${formatInstant(report.created_at)} by ${reporter.name} (${reporter.is}${reporter.email ? `, ${reporter.email}` : ''})`}
        </p>
        {report.settled_at && (
          <p className="text-sm break-words text-soft">
            {`Settled ${formatInstant(report.settled_at)}${report.settled_by ? `, by ${report.settled_by}` : ''}`}
          </p>
        )}
        {report.settled_reason && (
          <p className="text-sm break-words">{`What was done: ${report.settled_reason}`}</p>
        )}
      </div>
      <p className="break-words whitespace-pre-wrap">{`“${report.reason}”`}</p>
      {report.messages_count === 0 && <p className="text-sm text-soft">No messages were attached.</p>}
      {messages && (
        <ul aria-label="Attached messages" className="flex flex-col gap-2 border-l-4 border-line pl-4">
          {messages.map((message) => (
            <li key={`${message.date_sent} ${message.by} ${message.message}`}>
              <p className="text-sm text-soft">
                {`${message.by === 'reporter' ? reporter.name : about.name}, ${formatInstant(new Date(message.date_sent * 1000).toISOString())}`}
              </p>
              <p className="break-words whitespace-pre-wrap">{message.message}</p>
            </li>
          ))}
        </ul>
      )}
      <ErrorAlert title="The messages were not read" error={look.error} />
      <div className="flex flex-wrap gap-3">
        {report.messages_count > 0 && !messages && (
          <Button
            size="small"
            variant="secondary"
            aria-label={`${read}: ${whose}`}
            isPending={look.isPending}
            onPress={() => look.start({ params })}
          >
            {read}
          </Button>
        )}
        {report.status === 'open' && (
          <Button size="small" variant="secondary" aria-label={`Settle it: ${whose}`} onPress={onSettle}>
            Settle it
          </Button>
        )}
      </div>
    </li>
  )
}

function SettleDialog({
  report,
  onSettled,
  onClose,
}: {
  report: ChatReport
  onSettled(): void
  onClose(): void
}) {
  const settle = useAction('POST /admin/chat-reports/{id}/settle', {
    invalidates: [['admin', 'chat-reports']],
    onDone: onSettled,
  })
  return (
    <ReasonDialog
      title="Settle this report?"
      lead={settleLead(report.about)}
      label="What was done"
      description="It is kept in the audit log. Nobody is emailed."
      confirmLabel="Settle it"
      limits={limitsOf('POST /admin/chat-reports/{id}/settle', 'reason')}
      onConfirm={(reason) => settle.send({ params: { id: report.report_id }, body: { reason } })}
      onClose={onClose}
    />
  )
}
