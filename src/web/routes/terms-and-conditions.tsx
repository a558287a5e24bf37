import { EmergencyLine } from '#web/features/layout/EmergencyLine.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import { pageTitle } from '#web/lib/site.ts'
import { ContactLink } from '#web/ui/ContactLink.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { Prose } from '#web/ui/Prose.tsx'
import type { PlainHandle } from '#web/lib/plain-page.ts'

/** Loads the framework only once the reader uses the page. */
export const handle: PlainHandle = { isPlain: true }

export const meta = () =>
  pageMeta({
    title: pageTitle('Terms and Conditions'),
    description: 'What you and Hearth can expect of each other.',
  })

export default function TermsAndConditions() {
  return (
    <div className="page max-w-3xl">
      <PageHeading title="Terms and Conditions" lead="Last updated January 2024" />
      <Prose>
        <p>
          These terms say what you and Hearth can expect of each other. By creating an account you accept
          them.
        </p>

        <h2>1. Who may use Hearth</h2>
        <p>
          You must be 18 or over. You may book for a young person whom the practitioner agrees to see; the
          account and the payment are then yours.
        </p>

        <h2>2. What Hearth is</h2>
        <p>
          Hearth is a marketplace. It brings you together with independent practitioners, and takes bookings
          and payments. The practitioner, not Hearth, provides the session and is responsible for it.
          Practitioners set their own prices and keep 100% of the fee.
        </p>
        <p>
          We check each practitioner’s identity, licence and background check before listing them, and their
          insurance where they have one. We do not supervise their work and have no access to what is said in
          a session. Messages in the chat are between you and the practitioner; how they are kept is in the{' '}
          <TextLink to="/privacy-policy#messages">Privacy Policy</TextLink>.
        </p>

        <h2>3. What Hearth is not</h2>
        <p>
          Hearth is not an emergency service, and it is not suitable for people at high risk of suicide.
          Nobody watches the messages around the clock: a practitioner reads them when they are at work.
        </p>
        <EmergencyLine />

        <h2>4. Your account</h2>
        <p>
          Give true details, keep your password to yourself, and tell us if you think someone else knows it.
          One person, one account. You can close it at any time when no session you have paid for is still
          ahead: cancel it first where you still can, or wait until it is over.
        </p>

        <h2>5. Booking and paying</h2>
        <ul>
          <li>
            The price you see when you book is the price you pay, in pounds, with any discount already taken
            off.
          </li>
          <li>
            A time you choose is held for you for 10 minutes while you pay. A session is booked once its
            payment is confirmed.
          </li>
          <li>If the time is gone when you pay, nothing is charged.</li>
          <li>
            A referral code takes 20% off the first scheduled session, once for each person and card. Your own
            code does not count.
          </li>
        </ul>

        <h2>6. Cancelling and moving</h2>
        <ul>
          <li>
            You may cancel or move a session within 48 hours of booking it, or up to 48 hours before it
            starts, and in any case before it starts. A session cancelled in this way is refunded in full.
          </li>
          <li>Moving a session does not restart the 48 hours after booking.</li>
          <li>If the practitioner cancels, you are refunded in full.</li>
          <li>Your rights under the Consumer Rights Act 2015 stay as they are.</li>
        </ul>

        <h2>7. Get help right now</h2>
        <p>
          This is an instant 15-minute online session with the first available practitioner, for £25. Once a
          practitioner has accepted, it cannot be cancelled. If nobody accepts, your money is released or
          refunded within 24 hours.
        </p>

        <h2>8. For practitioners</h2>
        <ul>
          <li>
            Keep your registration, insurance and background check valid, and tell us when one of them
            changes.
          </li>
          <li>
            You need a subscription to be listed. You can cancel it at any time; it then runs to the end of
            the month you have paid for.
          </li>
          <li>You are the controller of your own clinical records.</li>
          <li>
            What clients write to you is confidential, whether or not they book. Copy what belongs into your
            records: a conversation goes when the client deletes their account.
          </li>
        </ul>

        <h2>9. Fair use</h2>
        <p>
          Do not harass anyone, pretend to be someone else, record a session without consent, or interfere
          with the service. We may suspend an account that does.
        </p>

        <h2>10. Liability</h2>
        <p>
          We provide our own service with reasonable care and skill. Nothing here limits liability that the
          law does not allow us to limit, such as for death or injury caused by negligence, or for fraud.
        </p>

        <h2>11. Changes</h2>
        <p>
          We tell you 30 days before these terms change. If you do not agree, you can close your account
          before they do.
        </p>

        <h2>12. Law</h2>
        <p>
          These terms are governed by the law of the United Kingdom, as it applies where you live: England and
          Wales, Scotland, or Northern Ireland. Its courts decide.
        </p>

        <h2>13. Contact</h2>
        <p>
          Write to <ContactLink />. How we treat your data is on the page{' '}
          <TextLink to="/privacy-policy">Privacy Policy</TextLink>.
        </p>
      </Prose>
    </div>
  )
}
