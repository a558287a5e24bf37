import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Hindrance, Kept } from '#contract/accounts/personal-data.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { serverNow } from '#web/lib/clock.ts'
import { fieldOf, useForm } from '#web/lib/form.ts'
import { limitsOf } from '#web/lib/limits.ts'
import { personOf, useSession } from '#web/lib/session.ts'
import { formatDayAndTime, viewerZone } from '#web/lib/time.ts'
import { isDefinite, useAction } from '#web/lib/use-action.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Disclosure } from '#web/ui/Disclosure.tsx'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { Form } from '#web/ui/Form.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { keepDeletionAsked } from './account-deleted.ts'
import { deletionUnclearTitle } from './DeletionUnclear.tsx'
import { ForgottenPassword } from './ForgottenPassword.tsx'
import { KeptList } from './KeptList.tsx'
import { hindrancesQuery, keptQuery } from './own-profile.ts'
import { unclearOutcome } from './unclear-outcome.tsx'

/** Deletes the account, once nothing stands in the way: what goes, what stays, the password and a tick. */
export function DeleteAccount({ onDeleted }: { onDeleted(): void }) {
  const hindrances = useQuery(hindrancesQuery())
  const kept = useQuery(keptQuery())
  const error = hindrances.error ?? kept.error
  if (!hindrances.data || !kept.data) {
    if (!error) return <DeleteAccountLoading />
    const retry = () => {
      if (!hindrances.data) void hindrances.refetch()
      if (!kept.data) void kept.refetch()
    }
    return (
      <ErrorState
        title="This page did not load"
        onRetry={retry}
        isRetrying={hindrances.isFetching || kept.isFetching}
        error={error}
      />
    )
  }
  if (hindrances.data.hindrances.length > 0) return <NotYet hindrances={hindrances.data.hindrances} />
  return <Leave kept={kept.data} onDeleted={onDeleted} />
}

function NotYet({ hindrances }: { hindrances: readonly Hindrance[] }) {
  const path = hindrances.find((each) => each.path)?.path
  return (
    <div className="flex flex-col gap-6">
      <Alert
        tone="warning"
        live={hindrances.length > 3 ? 'off' : 'polite'}
        title="Your account cannot be deleted yet"
      >
        <ul className="mt-2 flex flex-col gap-3">
          {hindrances.map(({ message, way_out, starts_at }) => (
            <li key={`${message} ${starts_at}`}>
              <span className="block font-semibold text-ink">
                {message} {starts_at && `${formatDayAndTime(starts_at, viewerZone(), serverNow())}.`}
              </span>
              {way_out}
            </li>
          ))}
        </ul>
      </Alert>
      <div className="flex flex-wrap gap-3">
        {path && <ButtonLink to={path}>See what you can do</ButtonLink>}
        <ButtonLink to="/account" variant="secondary">
          Back to your account
        </ButtonLink>
      </div>
    </div>
  )
}

type Values = { current_password: string; understood: boolean }

function Leave({ kept, onDeleted }: { kept: readonly Kept[]; onDeleted(): void }) {
  const client = useQueryClient()
  const form = useForm<Values>()
  const person = personOf(useSession())

  const leave = useAction('POST /client/delete-account', { onDone: onDeleted })

  /** An earlier try, whose answer was lost, may have done it. */
  const mayBeDeleted = useRef(false)
  async function remove({ current_password, understood }: Values): Promise<void> {
    if (!understood) return
    // The sign-in may end before the answer comes, and this page with it.
    keepDeletionAsked(true)
    await leave.send({ body: { current_password, understood } })
  }

  /** Something has come up since the page was opened; what it is takes the place of the form. */
  function showHindrances(error: unknown): boolean {
    if (!isDefinite(error)) mayBeDeleted.current = true
    // A deleted account is refused as one that is signed out.
    const isSignedOut = error instanceof ApiError && error.status === 401
    if (isDefinite(error) && !(isSignedOut && mayBeDeleted.current)) keepDeletionAsked(false)
    const found = error instanceof ApiError && error.code === 'not_deletable' && error.details.hindrances
    if (found) client.setQueryData(hindrancesQuery().queryKey, { hindrances: found as Hindrance[] })
    return Boolean(found)
  }

  return (
    <div className="flex flex-col gap-8">
      <section className="flex flex-col gap-3">
        <h2 className="text-xl">What is deleted</h2>
        <ul className="flex list-disc flex-col gap-1.5 pl-6 marker:text-ember">
          <li>Your name, your email and your password.</li>
          <li>Your saved cards, here and at our payment provider.</li>
          <li>Your chats. The messages disappear for your practitioners as well.</li>
          <li>Regular sessions, which end for your practitioners too, and places on waitlists.</li>
          <li>What you wrote when you cancelled, and bookings that were never paid for.</li>
          <li>Every sign-in. This device is signed out as well.</li>
        </ul>
        <p className="text-soft">
          You may want <TextLink to="/account/data">a copy of your data</TextLink> first. Your practitioner
          may have notes of their own; ask them about those.
        </p>
      </section>
      <section className="flex flex-col gap-2">
        <h2 className="text-xl">What stays, without your name</h2>
        <p>The law requires us to keep records of payments. Nothing in them says who you are.</p>
        <Disclosure title="Everything that is kept, and for how long">
          <KeptList kept={kept} />
        </Disclosure>
      </section>
      <Form
        form={form}
        onSubmit={remove}
        onFailure={showHindrances}
        failureTitle="Your account was not deleted"
        renderFailure={unclearOutcome(
          deletionUnclearTitle,
          'If it was deleted, we have sent you one last email that says so.',
        )}
        aria-label="Delete your account"
        className="flex flex-col gap-5 rounded-xl border border-line bg-surface p-5 shadow-low sm:p-7"
      >
        {/* Tells a password manager whose password this is. */}
        <input type="email" autoComplete="username" value={person?.email ?? ''} readOnly hidden />
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          {...fieldOf(form, 'current_password', limitsOf('POST /client/delete-account', 'current_password'))}
        />
        <ForgottenPassword />
        <Checkbox {...fieldOf(form, 'understood', { required: 'Please confirm that you understand.' })}>
          I understand that this cannot be undone
        </Checkbox>
        <div className="flex flex-wrap gap-3">
          <SubmitButton variant="danger" pendingLabel="Deleting your account">
            Delete my account
          </SubmitButton>
          <ButtonLink to="/account" variant="secondary">
            Keep my account
          </ButtonLink>
        </div>
      </Form>
    </div>
  )
}

export function DeleteAccountLoading() {
  return (
    <Loading label="Checking what would happen" className="flex flex-col gap-8">
      <Skeleton className="h-40" />
      <Skeleton className="h-28" />
      <Skeleton className="h-64 rounded-xl" />
    </Loading>
  )
}
