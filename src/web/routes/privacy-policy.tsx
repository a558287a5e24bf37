import { KeptList } from '#web/features/accounts/KeptList.tsx'
import { serverApi } from '#web/lib/server-api.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { pageTitle } from '#web/lib/site.ts'
import { ContactLink } from '#web/ui/ContactLink.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { Prose } from '#web/ui/Prose.tsx'
import type { Route } from './+types/privacy-policy.ts'
import type { PlainHandle } from '#web/lib/plain-page.ts'

/** Loads the framework only once the reader uses the page. */
export const handle: PlainHandle = { isPlain: true }

export const meta = () =>
  pageMeta({
    title: pageTitle('Privacy Policy'),
    description: 'What Hearth keeps about you, why, for how long, and what you can do about it.',
  })

/** What stays after a deletion is said by the parts of the product that keep it. */
export async function loader({ context, request }: Route.LoaderArgs) {
  return { kept: await serverApi(context)('GET /client/kept-after-deletion', { signal: request.signal }) }
}

export default function PrivacyPolicy({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page max-w-3xl">
      <PageHeading title="Privacy Policy" lead="Last updated January 2024" />
      <Prose>
        <p>
          Looking for therapy is private. This page says what we keep about you, why, who else sees it and how
          you stay in charge of it. Hearth is responsible for this data under the UK General Data Protection
          Regulation and the Data Protection Act 2018. Write to us at <ContactLink />.
        </p>

        <h2>In short</h2>
        <ul>
          <li>You can search and read profiles without an account, and we do not follow you while you do.</li>
          <li>
            There is no advertising here and no third-party analytics. From another company a page loads only
            Google’s button where you can sign in with it, our payment provider’s form where you enter a card,
            pictures from the company that stores them for us, and a video that you start.
          </li>
          <li>We have no access to what is said in a session, and none of it is recorded.</li>
          <li>We never sell data, and we never share it for marketing.</li>
        </ul>

        <h2>What we keep</h2>
        <h3>When you have an account</h3>
        <p>
          Your name, your email, your password in a form that cannot be turned back, and the referral code you
          used, if any. You must be 18 or over, and we ask you to say so. For each sign-in, when it was and on
          what, such as “Firefox on Windows”. You see them on{' '}
          <TextLink to="/account/devices">your account page</TextLink>. Of the internet addresses you last
          logged in from we keep a mark for 90 days that cannot be turned back into them: we know you by it
          when a stranger tries passwords.
        </p>
        <h3>When you book</h3>
        <p>
          With whom, when, where, at which price, and whether the session took place, was moved or was
          cancelled. Your card is taken by our payment provider. We keep its brand, its last four digits and
          its expiry date, so that you recognise it; the number and the security code never rest with us.
        </p>
        <h3>When you wait</h3>
        <p>
          Whose waitlist you are on, and for which sessions and times. If you ask us to write when a search
          finds someone, what you searched for, until you take it back or it has run out.
        </p>
        <h3 id="messages">When you write messages</h3>
        <p>
          What you and a practitioner write to each other, when, and how far each of you has read. It is shown
          to the two of you. If one of you reports the conversation to us, we see the messages they choose to
          send with the report, and no others. On the way it is encrypted, and where it is kept it is
          encrypted again, with a key for each conversation that is itself locked by a key outside the
          database: a copy of the database alone cannot be read. This is not end-to-end encryption. Our server
          opens a message to show it to you, so whoever runs it could read it. We do not, unless one of you
          shows us a message with a report or a court orders us to. What you have written and not sent yet
          stays in your browser tab.
        </p>
        <h3>When you answer our questions</h3>
        <p>
          The answers that lead to a recommended therapy are used to find it. They are not written into the
          address of a page, where others could find them.
        </p>
        <h3>When you are a practitioner</h3>
        <p>
          What your profile shows, and what we need to check you: identity, background check, licences and
          insurance. Those documents are seen by you and by the people who check them, and by nobody else.
        </p>

        <h2>Our legal reasons</h2>
        <ul>
          <li>To carry out our contract with you: your account, bookings, payments and messages.</li>
          <li>Because the law requires it: records of payments.</li>
          <li>Because we have a legitimate interest: keeping the service safe from misuse.</li>
          <li id="health">
            Looking for therapy can say something about a person’s health. Where it does, we rely on your
            explicit consent. We ask for it when you create an account, or later where you were not asked
            then, and keep which words you agreed to, and when. You withdraw it{' '}
            <TextLink to="/account/health">in your account</TextLink>, which is deleted with it: without it we
            cannot arrange therapy for you. Where that has to wait for a session or a refund, write to{' '}
            <ContactLink />.
          </li>
        </ul>

        <h2>Who else sees it</h2>
        <ul>
          <li>The practitioner you book sees your name and the session.</li>
          <li>
            A practitioner whose waitlist you are on sees your initials and the times you wait for. One who is
            asked when you get help right now sees your first name and what you need help with.
          </li>
          <li>
            The practitioner you write to sees your name, your picture if you have one, and what you write to
            them. Not your email.
          </li>
          <li>
            An online session in one of our rooms goes from your device to your practitioner’s and back,
            encrypted between the two of you. It goes by a relay, or directly where the page says so before
            you join: then the two devices learn each other’s internet address. A practitioner may meet you by
            a link of their own instead; then it goes by the company behind that.
          </li>
          <li>Our payment provider processes your card.</li>
          <li>
            The company that delivers our email sees your address. Until you have confirmed it, our emails
            about sessions only say where to sign in. No email ever contains what was written in a message.
          </li>
          <li>
            Google, if you sign in with it: that you do. It tells us your name and your email, and we tell it
            nothing more. Where Google’s own button is shown, on the pages for signing in, your browser loads
            it from Google.
          </li>
          <li>
            Google, if your practitioner has connected a calendar there: that there is a session, when and
            where. Never your name, and nothing of what it is about.
          </li>
          <li>
            The companies behind your practitioner’s email, and behind a calendar that they have given their
            own private link: your first name and initial, when and where the session is.
          </li>
          <li>
            The company behind your own calendar, if you give it the private link from your account: when your
            sessions are and with whom.
          </li>
          <li>
            The maker of your browser, if you turn on notifications: that there is one. What it says is
            encrypted for your browser, and never names a person or what was written.
          </li>
          <li>A court, when it orders us to.</li>
        </ul>
        <p>
          A practitioner’s introduction video comes from YouTube, without cookies, and only when you press
          play.
        </p>

        <p>
          Of a practitioner’s Google Calendar we read only when the main calendar is taken, to keep those
          times free, and write only to a calendar of our own there. We use it for nothing else, pass it on to
          nobody, and forget it when it is disconnected.
        </p>

        <h2>What is stored on your device</h2>
        <p>
          When you log in, this browser tab remembers it until you close the tab or log out. If you tick “Stay
          signed in on this device”, two cookies remember it until you log out, or for 30 days after your last
          visit. Another cookie notes for 400 days that you have logged in here before, so that a stranger who
          guesses at your password does not lock you out; it opens nothing and names nobody. We set no cookies
          to follow you, so there is nothing to accept or refuse. On a shared computer, log out when you are
          done.
        </p>
        <p>
          If you save someone with the heart without being logged in, your browser keeps their number for 30
          days, and nothing is sent to us until you open your shortlist. You can clear it there, and logging
          out clears it too. When you are logged in, your shortlist is on your account, and only you can see
          it. Your choice of light or dark colours stays in your browser.
        </p>

        <h2>How long</h2>
        <ul>
          <li>Your account and what belongs to it, as long as you have the account.</li>
          <li>
            Messages, as long as the client has their account. When the client deletes it, the whole
            conversation goes, for both.
          </li>
          <li>
            What a practitioner’s profile says about them and their documents, until a month after we have
            closed their account. Their name, their email, and which sessions they offered and where stay with
            the sessions they held, and payments to them stay in our books.
          </li>
          <li>
            Records of a client’s payments, six years after the tax year they belong to, as the law asks.
          </li>
          <li>Technical logs, 30 days. They hold no content and no answers.</li>
        </ul>

        <h2 id="deleted">When you delete your account</h2>
        <p>
          As a client, you can do so yourself, on <TextLink to="/account/delete">your account page</TextLink>.
          It takes effect at once: what we know about you is erased, and what the law makes us keep no longer
          has your name. This is all that stays:
        </p>
        <KeptList kept={loaderData.kept} />

        <h2>Your rights</h2>
        <p>
          You may see your data and have a copy, correct it and have it erased: as a client, you can do all of
          that yourself on <TextLink to="/account">your account page</TextLink>. You may also restrict or
          object to its use, and take back a consent. Practitioners who want a copy or to leave, and everyone
          for the rest, write to <ContactLink />; we answer within a month. If you are not content with our
          answer, you may complain to the Information Commissioner’s Office at ico.org.uk.
        </p>

        <h2>Changes</h2>
        <p>When this policy changes, we tell you 30 days before it does.</p>
      </Prose>
    </div>
  )
}
