import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '#web/lib/api.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { buttonLook } from '#web/ui/button-look.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'

/**
 * Says what is read and written before Google asks, and leads there. A link that is pressed opens a tab in every browser,
 * which a window opened after a call does not.
 */
export function GoogleConsent({ onClose }: { onClose(): void }) {
  const [hasGone, setHasGone] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['google-calendar-access'],
    queryFn: ({ signal }) => callApi('GET /therapist/request-google-calendar-access', { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <Dialog
      onClose={onClose}
      title="Connect Google Calendar"
      footer={
        <>
          {data ? (
            <a
              href={data}
              target="_blank"
              rel="noopener noreferrer"
              className={buttonLook({})}
              onClick={() => setHasGone(true)}
            >
              Continue to Google
            </a>
          ) : (
            <Button
              isPending={isFetching}
              isDisabled={!error}
              pendingLabel="Asking Google"
              onPress={() => void refetch()}
            >
              Try again
            </Button>
          )}
          <Button variant="secondary" onPress={onClose}>
            Not now
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p>Google will ask you in a new tab. Please tick both boxes there.</p>
        <dl className="flex flex-col gap-3">
          <div>
            <dt className="font-semibold">What we add</dt>
            <dd className="text-soft">
              Your sessions, in a separate calendar named “Hearth”: when and where. Never a client’s name, and
              nothing about what a session is for.
            </dd>
          </div>
          <div>
            <dt className="font-semibold">What we read</dt>
            <dd className="text-soft">
              When your main calendar is busy, so that nobody can book you then. We cannot see what is in it.
            </dd>
          </div>
        </dl>
        <p className="text-soft">
          You can disconnect at any time, here or in your Google account. Our{' '}
          <TextLink to="/privacy-policy">privacy policy</TextLink> says the same.
        </p>
        <div aria-live="polite" className="empty:sr-only">
          {hasGone && (
            <p className="flex items-center gap-3 rounded-lg bg-sunken p-4">
              <Spinner />
              Waiting for you to come back from Google.
            </p>
          )}
        </div>
        <ErrorAlert title="We could not open Google" error={error} />
      </div>
    </Dialog>
  )
}
