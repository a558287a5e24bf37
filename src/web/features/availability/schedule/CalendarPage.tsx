import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Schedule } from '#contract/availability/schedule.ts'
import { pathOfStep } from '#contract/practitioners/profile-steps.ts'
import { zoneTime } from '#contract/zone-names.ts'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { LiveRegion } from '#web/ui/LiveRegion.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { BookingRulesForm } from './BookingRulesForm.tsx'
import { CalendarApp } from './CalendarApp.tsx'
import { GoogleCalendar } from './GoogleCalendar.tsx'
import { forgetUnsaved } from './kept-names.ts'
import { LeaveWarning, savedState } from './LeaveWarning.tsx'
import { SaveOutcome } from './SaveOutcome.tsx'
import { ScheduleEditor } from './ScheduleEditor.tsx'
import { useEditorView } from './use-editor-view.ts'
import { ScheduleModal } from './ScheduleModal.tsx'
import { availableNowQuery, scheduleQuery } from './schedule-queries.ts'
import { savedLabel, unfitLabel } from './schedule-labels.ts'
import type { RegularSessions } from './TimeOffForm.tsx'
import { TimeOffPart } from './TimeOffPart.tsx'
import { useScheduleDraft } from './use-schedule-draft.ts'
import { Section } from '#web/ui/Section.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'

const title = 'Calendar (Repeats weekly)'
const crumbs = (
  <Breadcrumbs
    items={[
      { label: 'Dashboard', to: '/therapist/dashboard' },
      { label: 'Your schedule', to: '/therapist/schedule' },
      { label: 'Calendar' },
    ]}
  />
)
const calendarAppId = 'calendar-app'

/** Where the weekly schedule is written, with notice, pause and time off beside it. */
export function CalendarPage({ regular }: { regular: RegularSessions }) {
  const query = useQuery(scheduleQuery())
  const { data, error } = query
  if (data) return <LoadedCalendar saved={data} regular={regular} />
  return (
    <CalendarFallback failure={error && <QueryError title="Your calendar did not load" query={query} />} />
  )
}

function LoadedCalendar({ saved, regular }: { saved: Schedule; regular: RegularSessions }) {
  const navigate = useNavigate()
  const schedule = useScheduleDraft(saved)
  const view = useEditorView(schedule)
  const [isModalOpen, setModalOpen] = useState(false)
  const [hasSaved, setHasSaved] = useState(false)
  const [hasUnsavedRules, setUnsavedRules] = useState(false)
  const [hasUnsavedTimeOff, setUnsavedTimeOff] = useState(false)
  const { isDirty, isSaving } = schedule
  // Known by the time that the week is saved, unless it did not load.
  const isListed = useQuery(availableNowQuery()).data?.listed
  const placesHint = <PlacesHint />

  return (
    <div className="page">
      <PageHeading
        above={crumbs}
        title={title}
        lead={`The hours you offer every week, in ${zoneTime(saved.timezone)}. Sessions that are booked stay booked, whatever you change.`}
        actions={
          <div className="flex flex-wrap items-center gap-3">
            <TextLink
              to={`#${calendarAppId}`}
              // The keyboard goes along.
              onClick={() => document.getElementById(calendarAppId)?.focus()}
              className="target inline-flex items-center"
            >
              Connect calendar app
            </TextLink>
            <Button variant="secondary" onPress={() => setModalOpen(true)}>
              Start now
            </Button>
            <ButtonLink to="/therapist/schedule" variant="secondary">
              See your week
            </ButtonLink>
          </div>
        }
      />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <Card className="flex flex-col gap-6">
          <ScheduleEditor schedule={schedule} view={view} level={2} placesHint={placesHint} />
          {!isModalOpen && <SaveOutcome schedule={schedule} onSaved={() => setHasSaved(true)} />}
          <LiveRegion>{hasSaved && !isDirty && <SavedAlert saved={saved} isListed={isListed} />}</LiveRegion>
          <div className="flex flex-wrap items-center gap-3 border-t border-line pt-5">
            <Button
              isPending={isSaving}
              pendingLabel="Saving"
              onPress={() => {
                setHasSaved(false)
                void schedule.save(view.showPlaceOf).then(setHasSaved)
              }}
            >
              Save schedule
            </Button>
            {isDirty && (
              <>
                <Button variant="quiet" onPress={schedule.discard} isDisabled={isSaving}>
                  Undo changes
                </Button>
                <p className="text-sm text-soft">Not saved yet</p>
              </>
            )}
          </div>
        </Card>
        <div className="grid grid-cols-1 gap-6">
          <Section title="Notice and pause" isCard className="flex flex-col gap-4">
            <BookingRulesForm saved={saved.rules} onUnsaved={setUnsavedRules} />
          </Section>
          <Section title="Time off" isCard className="flex flex-col gap-3">
            <TimeOffPart today={saved.today} regular={regular} onUnsaved={setUnsavedTimeOff} />
          </Section>
          <Card as="section" aria-labelledby={calendarAppId}>
            <h2 id={calendarAppId} tabIndex={-1} className="mb-3 scroll-mt-8 text-xl">
              Calendar app
            </h2>
            <div className="flex flex-col gap-6">
              <GoogleCalendar />
              <div className="border-line not-first:border-t not-first:pt-5">
                <h3 className="mb-2 text-lg">Any calendar, by a link</h3>
                <CalendarApp />
              </div>
            </div>
          </Card>
        </div>
      </div>
      {isModalOpen && (
        <ScheduleModal
          schedule={schedule}
          view={view}
          placesHint={placesHint}
          onClose={() => setModalOpen(false)}
          onSaved={() => void navigate('/therapist/schedule', { state: savedState })}
        />
      )}
      <LeaveWarning isDirty={isDirty || hasUnsavedRules || hasUnsavedTimeOff} onLeave={forgetUnsaved} />
    </div>
  )
}

function SavedAlert({ saved, isListed }: { saved: Schedule; isListed: boolean | undefined }) {
  const outside = saved.outside.length
  const unfit = unfitLabel(saved)
  if (outside === 0) {
    return (
      <Alert tone={unfit ? 'warning' : 'success'} title="Your schedule is saved">
        {savedLabel(saved, isListed)}
      </Alert>
    )
  }
  return (
    <Alert tone="warning" title="Your schedule is saved">
      {outside} booked {outside === 1 ? 'session falls' : 'sessions fall'} outside it and{' '}
      {outside === 1 ? 'stays' : 'stay'} booked. <TextLink to="/therapist/schedule">See your week</TextLink>
      {unfit && <p className="mt-2">{unfit}</p>}
    </Alert>
  )
}

function PlacesHint() {
  return (
    <Alert title="Where do you see people?">
      Add a place to your profile first. Then you can offer face-to-face hours there.{' '}
      <TextLink to={pathOfStep('locations', { returnTo: 'calendar' })}>Add a place</TextLink>
    </Alert>
  )
}

/** In the shape of the editor while it loads, or why it did not. */
export function CalendarFallback({ failure }: { failure?: ReactNode }) {
  return (
    <div className="page">
      <PageHeading above={crumbs} title={title} />
      {failure || (
        <Loading
          label="Loading your calendar"
          className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]"
        >
          <Card className="flex flex-col gap-6">
            <Skeleton className="h-14" />
            <Skeleton className="h-12" />
            <Skeleton className="h-20" />
            <Skeleton className="h-64" />
          </Card>
          <Card className="flex flex-col gap-4">
            <Skeleton className="h-20" />
            <Skeleton className="h-20" />
          </Card>
        </Loading>
      )}
    </div>
  )
}
