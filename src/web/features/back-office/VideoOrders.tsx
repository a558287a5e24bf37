import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { VideoOrder } from '#contract/back-office/practitioners.ts'
import type { VideoOrderState, VideoUndo } from '#contract/subscriptions/video-orders.ts'
import { callApi } from '#web/lib/api.ts'
import { formatPounds } from '#web/lib/money.ts'
import { formatDayAndTime, zoneNote } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { PrivateVideo } from '#web/ui/PrivateVideo.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { ChoiceLinks } from './ChoiceLinks.tsx'
import { ListFrame } from './ListFrame.tsx'
import { videoOrdersQuery } from './admin-queries.ts'
import { formatInstant, adminZone, waitsForOffice } from './admin-labels.ts'
import { ProposeDatesDialog } from './ProposeDatesDialog.tsx'
import { StateTag } from './StateTag.tsx'
import { UploadVideoDialog } from './UploadVideoDialog.tsx'
import { useShown } from './use-shown.ts'

/** Videos that practitioners ordered: to be made, or made. */
export function VideoOrders() {
  const shown = useShown('/admin/videos?', { open: 'To be made', done: 'Made' })
  const { show: status, page, hrefFor, choices } = shown
  return (
    <div className="flex flex-col gap-6">
      <ChoiceLinks label="Which videos" choices={choices} />
      <ListFrame
        query={useQuery(videoOrdersQuery(status, page))}
        label="Videos"
        empty={{
          title: status === 'open' ? 'No videos to be made' : 'No videos made yet',
          words: 'Videos that practitioners order appear here.',
        }}
        hrefFor={hrefFor}
      >
        {(order) => <OrderCard key={order.practitioner_id} order={order} />}
      </ListFrame>
    </div>
  )
}

type Tag = { tone: 'good' | 'waiting' | 'plain'; words: string }

/** What waits for the back office stands out. */
const tags: Record<VideoOrderState, Tag> = {
  ordered: { tone: 'waiting', words: 'Dates needed' },
  dates_proposed: { tone: 'plain', words: 'Dates proposed' },
  dates_asked: { tone: 'waiting', words: 'Other dates asked for' },
  date_agreed: { tone: 'waiting', words: 'Date agreed' },
  uploaded: { tone: 'plain', words: 'Waiting for approval' },
  change_asked: { tone: 'waiting', words: 'Change asked for' },
  approved: { tone: 'good', words: 'Approved' },
  done: { tone: 'good', words: 'Made' },
}

const undoLabels: Record<VideoUndo, string> = {
  proposal: 'Take the dates back',
  upload: 'Take the video back',
  done: 'Not made after all',
}

const canUpload = ({ state }: VideoOrder) => ['ordered', 'date_agreed', 'change_asked'].includes(state)

function OrderCard({ order }: { order: VideoOrder }) {
  const [dialog, setDialog] = useState<'propose' | 'upload' | 'undo' | 'finish'>()
  const { full_name: name, practitioner_id: id } = order
  const { tone, words } =
    order.state === 'dates_proposed' && order.dates_expired
      ? { tone: 'waiting' as const, words: 'Dates have passed' }
      : tags[order.state]
  const close = () => setDialog(undefined)
  const button = (label: string, opens: NonNullable<typeof dialog>, isFirst = false) => (
    <Button
      size="small"
      variant={isFirst ? 'primary' : 'secondary'}
      aria-label={`${label}: the video of ${name}`}
      onPress={() => setDialog(opens)}
    >
      {label}
    </Button>
  )
  return (
    <li className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 shadow-low sm:p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-[min(14rem,100%)] grow basis-0">
          <h2 className="text-xl">
            <TextLink to={`/admin/practitioner?id=${id}`}>{name}</TextLink>
          </h2>
          {order.email && (
            <p className="text-sm break-all">
              <a href={`mailto:${order.email}`}>{order.email}</a>
            </p>
          )}
          <p className="text-sm text-soft">
            {`Ordered ${formatInstant(order.ordered_at)}, paid ${formatPounds(order.price)}`}
          </p>
          {order.done_at && (
            <p className="text-sm text-soft">
              {`${order.state === 'approved' ? 'Approved' : 'Made'} ${formatInstant(order.done_at)}`}
            </p>
          )}
        </div>
        <StateTag tone={tone}>{words}</StateTag>
      </div>
      <Standing order={order} />
      {(order.undo !== null || order.done_at === null) && (
        <div className="flex flex-wrap gap-3">
          {canUpload(order) && order.state !== 'ordered' && button('Upload the video', 'upload', true)}
          {waitsForOffice(order) &&
            button(
              order.state === 'ordered' ? 'Propose dates' : 'Propose other dates',
              'propose',
              !canUpload(order) || order.state === 'ordered',
            )}
          {order.state === 'ordered' && button('Upload the video', 'upload')}
          {order.undo !== null && button(undoLabels[order.undo], 'undo')}
          {order.done_at === null && button('Mark as made', 'finish')}
        </div>
      )}
      {dialog === 'propose' && <ProposeDatesDialog order={order} onClose={close} />}
      {dialog === 'upload' && <UploadVideoDialog order={order} onClose={close} />}
      {dialog === 'undo' && order.undo !== null && (
        <UndoDialog order={order} undo={order.undo} onClose={close} />
      )}
      {dialog === 'finish' && <FinishDialog order={order} onClose={close} />}
    </li>
  )
}

/** The dates, the words or the video that the order is about just now. */
function Standing({ order }: { order: VideoOrder }) {
  const { dates, agreed_date, note, timezone } = order
  const shown = agreed_date ? [agreed_date] : dates
  return (
    <>
      {shown.length > 0 && (
        <ul aria-label={agreed_date ? 'Agreed date' : 'Proposed dates'} className="flex flex-col gap-1">
          {shown.map((date) => (
            <li key={date}>
              {formatInstant(date)}
              {zoneNote(date, timezone, adminZone) && (
                <span className="block text-sm text-soft">
                  {`For them: ${formatDayAndTime(date, timezone)}, ${zoneNote(date, timezone, adminZone)}`}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {note && (
        <blockquote className="border-l-4 border-line pl-4 break-words whitespace-pre-line">
          {note}
        </blockquote>
      )}
      {order.uploaded_at && (
        <PrivateVideo
          key={order.version}
          name={`introduction of ${order.full_name}`}
          fetchLink={() =>
            callApi('POST /admin/video-orders/{id}/video-link', { params: { id: order.practitioner_id } })
          }
        />
      )}
    </>
  )
}

function FinishDialog({ order, onClose }: { order: VideoOrder; onClose(): void }) {
  const finish = useAction('POST /admin/video-orders/{id}/done', {
    invalidates: [['admin', 'video-orders']],
    onDone: () => showToast(`The video of ${order.full_name} is made.`),
  })
  const { full_name: name, practitioner_id: id } = order
  return (
    <ActionDialog
      title={`Mark the video of ${name} as made?`}
      confirmLabel="Mark as made"
      cancelLabel="Go back"
      failureTitle="Nothing was changed"
      onConfirm={() => finish.send({ params: { id }, body: { version: order.version } })}
      onClose={onClose}
    >
      <p>
        Use this for a video that was put on the profile in another way. The practitioner is not asked to
        approve it, and gets no email. You can undo it under “Made”.
      </p>
      {order.state === 'uploaded' && (
        <p>The video that waits for their approval is not put on the profile.</p>
      )}
    </ActionDialog>
  )
}

const undoTexts: Record<VideoUndo, { title(name: string): string; text: string; toast: string }> = {
  proposal: {
    title: (name) => `Take the dates for ${name} back?`,
    text: 'They can no longer choose one of them. If they have had the email about them, they get another one.',
    toast: 'The dates are taken back.',
  },
  upload: {
    title: (name) => `Take the video of ${name} back?`,
    text: 'It is deleted here, and you can upload another one. If they have had the email about it, they get another one.',
    toast: 'The video is taken back.',
  },
  done: {
    title: (name) => `The video of ${name} is not made?`,
    text: 'The order is again as it was before it was marked as made.',
    toast: 'The order is open again.',
  },
}

function UndoDialog({ order, undo, onClose }: { order: VideoOrder; undo: VideoUndo; onClose(): void }) {
  const takeBack = useAction('POST /admin/video-orders/{id}/undo', {
    invalidates: [['admin', 'video-orders']],
    onDone: () => showToast(undoTexts[undo].toast),
  })
  const { title, text } = undoTexts[undo]
  return (
    <ActionDialog
      title={title(order.full_name)}
      confirmLabel={undoLabels[undo]}
      cancelLabel="Go back"
      failureTitle="Nothing was changed"
      isDangerous={undo === 'upload'}
      onConfirm={() =>
        takeBack.send({ params: { id: order.practitioner_id }, body: { undo, version: order.version } })
      }
      onClose={onClose}
    >
      <p>{text}</p>
    </ActionDialog>
  )
}
