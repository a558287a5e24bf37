import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { VideoOrderState, VideoProgress as Progress } from '#contract/subscriptions/video-orders.ts'
import { zoneTime } from '#contract/zone-names.ts'
import { callApi } from '#web/lib/api.ts'
import { serverNow } from '#web/lib/clock.ts'
import { focusFirstInvalid } from '#web/lib/form.ts'
import { formatDayAndTime, zoneName } from '#web/lib/time.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ActionDialog } from '#web/ui/ActionDialog.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { InputLock } from '#web/ui/InputLock.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { PrivateVideo } from '#web/ui/PrivateVideo.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { AskAboutVideo } from './AskAboutVideo.tsx'
import { videoQuery } from './subscription-queries.ts'

/** Copying a video to the profile may take longer than other calls. Milliseconds. */
const approvalTimeout = 120_000

/** Where an ordered video stands, and what the practitioner can do about it. */
export function VideoProgress({ progress }: { progress: Progress }) {
  const [dialog, setDialog] = useState<'dates' | 'change' | 'approve'>()
  // Kept here: when the order has changed meanwhile, the dates that it was about are gone.
  const take = useStep('POST /therapist/video-production/take-date', 'The date is agreed.')
  const askDates = useStep('POST /therapist/video-production/ask-dates', 'We will propose other dates.')
  const askChange = useStep(
    'POST /therapist/video-production/ask-change',
    'We will change the video and write to you.',
  )
  const approve = useStep('POST /therapist/video-production/approve', 'Your video is on your profile.')
  const { version } = progress
  const close = () => setDialog(undefined)
  return (
    <Card className="flex flex-col gap-5">
      <ErrorAlert title="The date was not taken" error={take.error} />
      <Step
        progress={progress}
        isTaking={take.isPending}
        onTake={(date) => take.start({ body: { date, version } })}
        onAsk={(about) => {
          take.reset()
          setDialog(about)
        }}
      />
      {dialog === 'dates' && (
        <AskAboutVideo
          title="Ask for other dates"
          label="When would suit you?"
          description="Days and times you are free, such as weekday mornings."
          failureTitle="Your request was not sent"
          onSend={(note) => askDates.send({ body: { note, version } })}
          onClose={close}
        >
          {progress.agreed_date && <p>This cancels the date you chose.</p>}
        </AskAboutVideo>
      )}
      {dialog === 'change' && (
        <AskAboutVideo
          title="Ask for a change"
          label="What should we change?"
          description="Such as a part to cut, or a name that is misspelt."
          failureTitle="Your request was not sent"
          onSend={(note) => askChange.send({ body: { note, version } })}
          onClose={close}
        />
      )}
      {dialog === 'approve' && (
        <ActionDialog
          title="Put this video on your profile?"
          confirmLabel="Put it on my profile"
          cancelLabel="Not yet"
          failureTitle="It is not on your profile yet"
          onConfirm={() => approve.send({ body: { version }, timeout: approvalTimeout })}
          onClose={close}
        >
          <p>
            Everyone who opens your profile can then watch it. If you have another video there, this one
            replaces it. We cannot change it for you after that; you can remove it at any time.
          </p>
        </ActionDialog>
      )}
    </Card>
  )
}

type StepKey = `POST /therapist/video-production/${'take-date' | 'ask-dates' | 'ask-change' | 'approve'}`

/** The practitioner's own profile, which has the video once it is approved. */
const ownProfile = ['therapist', 'profile']

/** A step of the order. When the order has changed meanwhile, the page shows it as it is now. */
function useStep<K extends StepKey>(endpoint: K, toast: string) {
  return useAction(endpoint, {
    invalidates: [videoQuery().queryKey, ownProfile],
    onDone: () => showToast(toast),
  })
}

type StepProps = {
  progress: Progress
  isTaking: boolean
  onTake(date: string): void
  onAsk(about: 'dates' | 'change' | 'approve'): void
}

function Step({ progress, isTaking, onTake, onAsk }: StepProps) {
  const { state, note, agreed_date, timezone } = progress
  const asking = (label: string, about: 'dates' | 'change') => (
    <Button variant="secondary" onPress={() => onAsk(about)}>
      {label}
    </Button>
  )
  switch (state) {
    case 'ordered':
      return (
        <Words state={state}>
          We will propose dates for the call and write to you. You do not have to do anything.
        </Words>
      )
    case 'dates_proposed':
      return progress.dates_expired ? (
        <>
          <Words state={state}>
            The dates we proposed have passed. Ask for others, or wait: we will propose new ones.
          </Words>
          <div>{asking('Ask for other dates', 'dates')}</div>
        </>
      ) : (
        <DateChoice key={progress.version} progress={progress} isTaking={isTaking} onTake={onTake}>
          {asking('Ask for other dates', 'dates')}
        </DateChoice>
      )
    case 'dates_asked':
      return (
        <Words state={state} quote={note}>
          You asked for other dates. We will propose some and write to you.
        </Words>
      )
    case 'date_agreed': {
      const isOver = agreed_date !== null && Date.parse(agreed_date) <= serverNow()
      return (
        <>
          <Words state={state}>
            {isOver
              ? 'The call was on this date. We will write to you when the video is ready to watch.'
              : 'We will send you the link to the call before then.'}
          </Words>
          {agreed_date && (
            <p>
              <strong className="font-serif text-xl font-normal">
                {formatDayAndTime(agreed_date, timezone, serverNow())}
              </strong>
              <span className="block text-sm text-soft">{zoneLabel(agreed_date, timezone)}</span>
            </p>
          )}
          <div>{asking('Ask for other dates', 'dates')}</div>
        </>
      )
    }
    case 'uploaded':
      return (
        <>
          <Words state={state}>
            Only you and our team can see it until you approve it. Watch it, then put it on your profile or
            ask for a change.
          </Words>
          <OwnVideo version={progress.version} />
          <div className="flex flex-wrap gap-3">
            <Button onPress={() => onAsk('approve')}>Approve the video</Button>
            {asking('Ask for a change', 'change')}
          </div>
        </>
      )
    case 'change_asked':
      return (
        <>
          <Words state={state} quote={note}>
            You asked for a change. We will write to you when the video is ready again.
          </Words>
          {progress.uploaded_at && <OwnVideo version={progress.version} />}
        </>
      )
    case 'approved':
      return (
        <>
          <Words state={state}>You approved it. You can replace or remove it in your profile.</Words>
          <div>
            <ButtonLink to="/therapist/profile-view" variant="secondary">
              See your profile
            </ButtonLink>
          </div>
        </>
      )
    default:
      return <Words state={state}>If you have a question about it, reply to any of our emails.</Words>
  }
}

const titles: Record<VideoOrderState, string> = {
  ordered: 'Next: a date for the call',
  dates_proposed: 'Choose a date for the call',
  dates_asked: 'Next: other dates for the call',
  date_agreed: 'Your call is agreed',
  uploaded: 'Your video is ready to watch',
  change_asked: 'Next: the changed video',
  approved: 'Your video is on your profile',
  done: 'Your video is made',
}

function Words({
  state,
  quote,
  children,
}: {
  state: VideoOrderState
  quote?: string | null
  children: ReactNode
}) {
  return (
    <div className="flex flex-col gap-2" aria-live="polite">
      <h3 className="text-xl">{titles[state]}</h3>
      <p>{children}</p>
      {quote && (
        <blockquote className="border-l-4 border-line pl-4 break-words whitespace-pre-line text-soft">
          {quote}
        </blockquote>
      )}
    </div>
  )
}

/** Madrid time, Central European Summer Time. */
const zoneLabel = (instant: string, zone: string) => `${zoneTime(zone)}, ${zoneName(zone, instant)}`

function DateChoice({
  progress: { dates, timezone },
  isTaking,
  onTake,
  children,
}: Pick<StepProps, 'progress' | 'isTaking' | 'onTake'> & { children: ReactNode }) {
  const name = useId()
  const open = dates.filter((date) => Date.parse(date) > serverNow())
  const [chosen, setChosen] = useState(open.length === 1 ? open[0] : undefined)
  const choice = useRef<HTMLDivElement>(null)
  const [presses, setPresses] = useState(0)
  useEffect(() => {
    if (presses > 0 && choice.current) focusFirstInvalid(choice.current)
  }, [presses])

  function take(): void {
    if (chosen === undefined) setPresses(presses + 1)
    else onTake(chosen)
  }

  return (
    <>
      <Words state="dates_proposed">
        We make the video with you over a video call. If a date turns out not to suit you, you can still ask
        for another.
      </Words>
      <div ref={choice}>
        <InputLock isLocked={isTaking}>
          <RadioGroup
            label="Which date suits you?"
            description={zoneLabel(dates[0] ?? '', timezone)}
            look="card"
            name={name}
            value={chosen ?? ''}
            onChange={setChosen}
            error={presses > 0 && chosen === undefined ? 'Choose a date, or ask for others.' : undefined}
            options={dates.map((date) => ({
              value: date,
              label: formatDayAndTime(date, timezone, serverNow()),
              ...(open.includes(date) ? {} : { description: 'This date has passed.', isDisabled: true }),
            }))}
          />
        </InputLock>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button isPending={isTaking} pendingLabel="Saving" onPress={take}>
          Choose this date
        </Button>
        {children}
      </div>
    </>
  )
}

function OwnVideo({ version }: { version: number }) {
  return (
    <PrivateVideo
      key={version}
      name="your introduction"
      fetchLink={() => callApi('POST /therapist/video-production/video-link')}
    />
  )
}
