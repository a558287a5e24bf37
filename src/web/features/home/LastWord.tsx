import { foundTherapistsPath } from '#web/lib/site.ts'
import { EmptyChair } from '#web/ui/illustrations/Scenes.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'

/** For those on the other side of the table. */
export function ForPractitioners() {
  return (
    <section aria-labelledby="practitioners" className="page pb-14">
      <div className="flex flex-col gap-2 border-l-3 border-ember pl-5">
        <h2 id="practitioners" className="text-2xl">
          Are you a practitioner?
        </h2>
        <p className="max-w-2xl text-soft">
          Set your own prices and hours, and keep 100% of your fees. We check who you are, and show you to
          people looking for what you do.
        </p>
        <TextLink to="/therapist/sign-up" className="tappable self-start font-semibold">
          Join as a therapist
        </TextLink>
      </div>
    </section>
  )
}

export function LastWord() {
  return (
    <section aria-labelledby="last-word" className="page">
      <div className="flex flex-col items-center gap-5 rounded-xl border border-transparent bg-action-soft px-6 py-12 text-center text-on-action-soft">
        <EmptyChair className="w-44" />
        <h2 id="last-word" className="text-3xl">
          The chair is free
        </h2>
        <p className="max-w-md">Look around first. Nothing is booked until you say so.</p>
        <ButtonLink to={foundTherapistsPath}>Find a Practitioner</ButtonLink>
      </div>
    </section>
  )
}
