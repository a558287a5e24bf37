import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { VideoOrder } from '#contract/practice-desk.ts'
import { callApi } from '#web/lib/api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { formatPounds } from '#web/lib/money.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { ChoiceLinks } from './ChoiceLinks.tsx'
import { ListFrame } from './ListFrame.tsx'
import { videoOrdersQuery } from './office-queries.ts'
import { instantInWords } from './office-words.ts'
import { StateTag } from './StateTag.tsx'

const hrefOf = (status: 'open' | 'done', page: number) => `/admin/videos?show=${status}&page=${page}`

/** Videos that practitioners ordered: to be made, or made. */
export function VideoOrders() {
  const [params] = useSearchParams()
  const status = params.get('show') === 'done' ? 'done' : 'open'
  const page = Math.max(1, Math.floor(Number(params.get('page'))) || 1)
  return (
    <div className="flex flex-col gap-6">
      <ChoiceLinks
        label="Which videos"
        choices={[
          { label: 'To be made', to: hrefOf('open', 1), isChosen: status === 'open' },
          { label: 'Made', to: hrefOf('done', 1), isChosen: status === 'done' },
        ]}
      />
      <ListFrame
        query={useQuery(videoOrdersQuery(status, page))}
        label="Videos"
        empty={{
          title: status === 'open' ? 'No videos to be made' : 'No videos made yet',
          words: 'What practitioners order and pay for stands here.',
        }}
        hrefFor={(at) => hrefOf(status, at)}
      >
        {(order) => <OrderCard key={order.practitioner_id} order={order} />}
      </ListFrame>
    </div>
  )
}

function OrderCard({ order }: { order: VideoOrder }) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>()

  async function finish(): Promise<void> {
    setPending(true)
    setFailure(undefined)
    try {
      await callApi('POST /admin/video-orders/{id}/done', { params: { id: order.practitioner_id } })
      showToast(`The video of ${order.full_name} is made.`)
      await client.invalidateQueries({ queryKey: ['admin', 'video-orders'] })
    } catch (thrown) {
      setFailure(thrown)
    } finally {
      setPending(false)
    }
  }

  return (
    <li className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 shadow-low sm:p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-56 grow basis-0">
          <h2 className="text-xl">
            <TextLink tone="plain" to={`/admin/practitioner?id=${order.practitioner_id}`}>
              {order.full_name}
            </TextLink>
          </h2>
          {order.email && (
            <p className="text-sm break-all">
              <a href={`mailto:${order.email}`}>{order.email}</a>
            </p>
          )}
          <p className="text-sm text-soft">
            {`Ordered ${instantInWords(order.ordered_at)}, paid ${formatPounds(order.price)}`}
          </p>
          {order.done_at && <p className="text-sm text-soft">{`Made ${instantInWords(order.done_at)}`}</p>}
        </div>
        <StateTag tone={order.done_at ? 'good' : 'waiting'}>{order.done_at ? 'Made' : 'To be made'}</StateTag>
      </div>
      {failure !== undefined && (
        <Notice tone="danger" live="assertive" title="Nothing was changed">
          {messageOf(failure)}
        </Notice>
      )}
      {!order.done_at && (
        <div>
          <Button
            size="small"
            variant="secondary"
            aria-label={`Mark as made: the video of ${order.full_name}`}
            isPending={isPending}
            onPress={() => void finish()}
          >
            Mark as made
          </Button>
        </div>
      )}
    </li>
  )
}
