import { useQuery } from '@tanstack/react-query'
import { serverNow } from '#web/lib/clock.ts'
import { formatDay, viewerZone } from '#web/lib/time.ts'
import { Card } from '#web/ui/Card.tsx'
import { ContactLink } from '#web/ui/ContactLink.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { AskHealthConsent } from './AskHealthConsent.tsx'
import { ownProfileQuery } from './own-profile.ts'

/** A client's consent to the use of data on their health: when it was given, and how it is withdrawn. */
export function OwnHealthConsent() {
  const query = useQuery(ownProfileQuery())
  const { data, error } = query
  if (!data) {
    if (!error) return <OwnHealthConsentLoading />
    return <QueryError title="Your agreement did not load" query={query} />
  }
  return (
    <div className="flex flex-col gap-8">
      <AskHealthConsent />
      {data.health_consent_at && <Given at={data.health_consent_at} />}
    </div>
  )
}

function Given({ at }: { at: string }) {
  return (
    <>
      <Card as="section" aria-labelledby="health-agreed">
        <h2 id="health-agreed" className="text-xl">
          What you agreed to
        </h2>
        <p className="mt-2">
          On {formatDay(at, viewerZone(), serverNow())} you agreed that we use what you share about your
          health to find and arrange your therapy.{' '}
          <TextLink to="/privacy-policy">How we look after it</TextLink>
        </p>
      </Card>
      <section className="flex flex-col gap-3">
        <h2 className="text-xl">Ending it</h2>
        <p>
          You can end your agreement at any time. We cannot arrange therapy without it, so your account is
          deleted with it. The next page says what goes and what stays, and nothing happens before you confirm
          it there.
        </p>
        <p className="text-soft">
          An account with a booked session or a refund under way is deleted once that is over. If you do not
          want to wait for it, write to <ContactLink />.
        </p>
        <div className="mt-2">
          <ButtonLink to="/account/delete" variant="secondary">
            End it and delete my account
          </ButtonLink>
        </div>
      </section>
    </>
  )
}

export function OwnHealthConsentLoading() {
  return <Loading label="Loading your agreement" skeleton="h-32 rounded-xl" />
}
