import { Card } from '#web/ui/Card.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'

/** The instant session, with its price and its limits in sight. */
export function HelpRightNow() {
  return (
    <section aria-labelledby="right-now" className="page py-14">
      <Card className="grid grid-cols-1 items-center gap-6 md:grid-cols-[1fr_auto] md:gap-12 sm:p-9">
        <div>
          <h2 id="right-now" className="text-2xl">
            Get help right now
          </h2>
          <p className="mt-2 max-w-2xl text-soft">
            An online session of 15 minutes with the first available practitioner. It usually takes 2 to 3
            minutes until you can talk. If nobody is free, you get your money back. It is no emergency
            service: if you are in danger, call 999.
          </p>
          <ButtonLink to="/get-help" variant="secondary" className="mt-4">
            I need help right now
          </ButtonLink>
        </div>
        <p className="flex items-baseline gap-2 md:flex-col md:items-end md:gap-0">
          <span className="font-serif text-4xl tabular-nums">£25</span>
          <span className="text-sm text-soft">15 minutes, fixed price</span>
        </p>
      </Card>
    </section>
  )
}
