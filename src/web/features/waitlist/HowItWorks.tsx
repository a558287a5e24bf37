import { Disclosure } from '#web/ui/Disclosure.tsx'

/** The order of a waitlist and what an offer means, in words. */
export function HowItWorks({ isOpen }: { isOpen?: boolean }) {
  return (
    <Disclosure title="How the waitlist works" level={2} defaultOpen={isOpen}>
      <ul className="flex list-disc flex-col gap-2 pl-5">
        <li>
          When a time comes free, we ask the person who has waited longest and can come then. You cannot pay
          to move up.
        </li>
        <li>
          We email you and hold the time for you: for 4 hours if it is more than 3 days away, for an hour if
          it is more than a day away, for 20 minutes if it is sooner. Between 21:00 and 08:00 your time does
          not run.
        </li>
        <li>You pay only when you take the time. If you say no, you keep your place.</li>
        <li>
          After two offers without an answer we pause your place. You can carry on with one press, in the same
          place.
        </li>
        <li>
          If a time starts in less than 4 hours, we tell everyone it would suit. It goes to the first person
          who books it.
        </li>
        <li>Your place is where you stand today, not a promise: it depends on which times come free.</li>
        <li>A place lasts 60 days. We email you before it ends.</li>
      </ul>
    </Disclosure>
  )
}
