import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Report, ReportState } from '#contract/reviews.ts'
import { callApi } from '#web/lib/api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { ChoiceLinks } from './ChoiceLinks.tsx'
import { ListFrame } from './ListFrame.tsx'
import { reportsQuery } from './admin-queries.ts'
import { formatInstant } from './admin-labels.ts'
import { ReasonDialog } from './ReasonDialog.tsx'

const states = ['open', 'hidden', 'dismissed'] as const satisfies readonly ReportState[]
const stateLabels: Record<ReportState, string> = {
  open: 'Open',
  hidden: 'Hidden',
  dismissed: 'Dismissed',
}

/** What people reported, to be hidden, dismissed, or shown again. */
export function Reports() {
  const [params] = useSearchParams()
  const status = states.find((state) => state === params.get('show')) ?? 'open'
  const page = Math.max(1, Math.floor(Number(params.get('page'))) || 1)
  const query = useQuery(reportsQuery(status, page))
  const hrefOf = (show: ReportState, at: number) => `/admin/reports?show=${show}&page=${at}`
  return (
    <div className="flex flex-col gap-6">
      <ChoiceLinks
        label="Which reports"
        choices={states.map((state) => ({
          label: stateLabels[state],
          to: hrefOf(state, 1),
          isChosen: state === status,
        }))}
      />
      <ListFrame
        query={query}
        label="Reports"
        empty={{
          title: status === 'open' ? 'No open reports' : 'No such reports',
          words: 'What people report about reviews and replies stands here.',
        }}
        hrefFor={(at) => hrefOf(status, at)}
      >
        {(report) => <ReportCard key={report.report_id} report={report} />}
      </ListFrame>
    </div>
  )
}

function ReportCard({ report }: { report: Report }) {
  const client = useQueryClient()
  const [isHiding, setHiding] = useState(false)
  const [pending, setPending] = useState<'dismiss' | 'restore'>()
  const [failure, setFailure] = useState<unknown>()
  const { review, about } = report
  const what = about === 'review' ? 'review' : 'reply'
  const again = () => client.invalidateQueries({ queryKey: ['admin', 'reports'] })

  async function decide(action: 'dismiss' | 'restore', done: string): Promise<void> {
    setPending(action)
    setFailure(undefined)
    try {
      await callApi(`POST /admin/reports/{id}/${action}`, { params: { id: report.report_id } })
      showToast(done)
      await again()
    } catch (thrown) {
      setFailure(thrown)
    } finally {
      setPending(undefined)
    }
  }

  return (
    <li className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 shadow-low sm:p-5">
      <div>
        <h2 className="text-xl">{about === 'review' ? 'A review' : 'A reply to a review'}</h2>
        <p className="text-sm break-words text-soft">
          {`Reported ${formatInstant(report.created_at)} by ${report.reporter.name} (${report.reporter.is})`}
        </p>
        {report.open_reports > 1 && <p className="text-sm">{`${report.open_reports} people reported it.`}</p>}
      </div>
      <p className="break-words">{`“${report.reason}”`}</p>
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
      {failure !== undefined && (
        <Alert tone="danger" live="assertive" title="Nothing was changed">
          {messageOf(failure)}
        </Alert>
      )}
      <div className="flex flex-wrap gap-3">
        {report.status === 'open' && (
          <>
            <Button size="small" variant="danger" onPress={() => setHiding(true)}>
              {`Hide the ${what}`}
            </Button>
            <Button
              size="small"
              variant="secondary"
              isPending={pending === 'dismiss'}
              onPress={() => void decide('dismiss', `The ${what} stays.`)}
            >
              {`Leave the ${what}`}
            </Button>
          </>
        )}
        {report.status === 'hidden' && (
          <Button
            size="small"
            variant="secondary"
            isPending={pending === 'restore'}
            onPress={() => void decide('restore', `The ${what} is shown again.`)}
          >
            {`Show the ${what} again`}
          </Button>
        )}
      </div>
      {isHiding && (
        <ReasonDialog
          title={`Hide this ${what}?`}
          lead="Nobody sees it any more, and the rating no longer counts it. You can show it again."
          description="Whoever wrote it reads it."
          confirmLabel="Hide it"
          onConfirm={async (reason) => {
            await callApi('POST /admin/reports/{id}/hide', {
              params: { id: report.report_id },
              body: { reason },
            })
            showToast(`The ${what} is hidden.`)
            await again()
          }}
          onClose={() => setHiding(false)}
        />
      )}
    </li>
  )
}
