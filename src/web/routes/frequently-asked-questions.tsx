import { EmergencyLine } from '#web/features/layout/EmergencyLine.tsx'
import { type Question, Questions, type Topic } from '#web/features/home/Questions.tsx'
import { textOf } from '#web/features/home/text-of.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { foundTherapistsPath, isOpen, pageTitle } from '#web/lib/site.ts'
import { ContactLink } from '#web/ui/ContactLink.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import type { PlainHandle } from '#web/lib/plain-page.ts'

/** Loads the framework only once the reader uses the page. */
export const handle: PlainHandle = { isPlain: true }

export const meta = () =>
  pageMeta({
    title: pageTitle('Frequently asked questions'),
    description: 'Sessions, practitioners, privacy and paying: how Hearth works.',
    data: [
      {
        '@type': 'FAQPage',
        mainEntity: openTopics()
          .flatMap((topic) => topic.questions)
          .map(({ question, answer }) => ({
            '@type': 'Question',
            name: question,
            acceptedAnswer: { '@type': 'Answer', text: textOf(answer) },
          })),
      },
    ],
  })

/** `page`: what it is about; it is not asked before that is there. */
type PossibleQuestion = Question & { page?: string }

const topics: { title: string; questions: PossibleQuestion[] }[] = [
  {
    title: 'Is it right for me?',
    questions: [
      {
        id: 'who-should-not',
        question: 'Is there anyone Hearth is not suitable for?',
        answer: (
          <>
            <p>
              Yes. Hearth is not suitable if you are at high risk of suicide or of being harmed. Online
              sessions cannot bring someone to your door. Please contact people who can straight away: call
              999 in an emergency, NHS 111 for urgent help, or Samaritans on 116 123 at any hour.
            </p>
            <div className="mt-3 text-ink">
              <EmergencyLine />
            </div>
          </>
        ),
      },
      {
        id: 'which-kind',
        question: 'Who are the people I can talk to?',
        answer: (
          <ul className="list-disc pl-6 marker:text-ember">
            <li>
              <strong>Psychiatrists</strong> are medical doctors. They diagnose and can prescribe medication.
            </li>
            <li>
              <strong>Psychologists</strong> assess how you think and feel, and treat with talking alone.
            </li>
            <li>
              <strong>CBT therapists</strong> work with you on the thoughts and habits that keep a problem
              going.
            </li>
            <li>
              <strong>Counsellors</strong> give you space to talk through what is happening and find your own
              way forward.
            </li>
          </ul>
        ),
      },
      {
        id: 'matching',
        question: 'I do not know who I need. Can you help me choose?',
        answer: (
          <p>
            Yes. Choose <TextLink to="/find-therapist?filterType=need">“I need assistance”</TextLink> on the
            home page and answer a few questions. A matching algorithm then recommends a kind of therapy and
            the therapists who offer it. What you answer is used for that and is not kept in the address of a
            page.
          </p>
        ),
      },
      {
        id: 'change-therapist',
        question: 'What if the therapist is not right for me?',
        answer: (
          <p>
            You are never obliged to stay with a therapist. The right fit matters, and a good practitioner
            knows it. You can book with someone else at any time.
          </p>
        ),
      },
      {
        id: 'age',
        question: 'How old do I have to be?',
        answer: (
          <p>
            You need to be 18 or over to have an account. Each practitioner says which age groups they see, so
            a parent can find someone for a young person. The person who books must be able to pay from a
            linked account.
          </p>
        ),
      },
    ],
  },
  {
    title: 'Sessions',
    questions: [
      {
        id: 'how-long',
        question: 'How long is a session?',
        answer: (
          <p>
            Typically 50 minutes to an hour. The profile shows the length and the price of each service before
            you book.
          </p>
        ),
      },
      {
        id: 'cancel',
        question: 'Can I cancel or move a session?',
        answer: (
          <p>
            Yes, in the app, under <TextLink to="/my-sessions">My Sessions</TextLink>: within 48 hours after
            booking, or up to 48 hours before the session. You see the refund before you confirm.
          </p>
        ),
      },
      {
        id: 'right-now',
        question: 'Can I talk to someone right now?',
        answer: (
          <p>
            <TextLink to="/get-help">“Get help right now”</TextLink> is a 15-minute online session with the
            first available practitioner, for a fixed £25. You see at once who is free, and they have two
            minutes to accept. If nobody is available, you get your money back.
          </p>
        ),
      },
    ],
  },
  {
    title: 'Practitioners and privacy',
    questions: [
      {
        id: 'regulated',
        question: 'Who checks the practitioners?',
        answer: (
          <p>
            Practitioners are regulated professionals. Before anyone is listed, we check their identity, their
            licence with their professional body, their background check (DBS) and, where they are insured,
            their certificate. Their licence number is on their profile, so you can check it yourself.
          </p>
        ),
      },
      {
        id: 'content',
        question: 'Does Hearth know what I talk about?',
        answer: <p>No. We have no access to what is said in a consultation, and none of it is recorded.</p>,
      },
      {
        id: 'messages',
        question: 'Is it safe to write messages here?',
        answer: (
          <p>
            Only you and the practitioner you write to see them. They are encrypted on the way, and again
            where they are kept, with keys that are not in the database. They are not end-to-end encrypted:
            our server opens a message to show it to you, so we could read it. We do not, unless one of you
            reports the conversation and chooses messages to show us. Emails say that a message waits, never
            what it says. When you delete your account, your conversations are deleted for both. More is in
            the <TextLink to="/privacy-policy#messages">Privacy Policy</TextLink>.
          </p>
        ),
      },
      {
        id: 'bias',
        question: 'Are practitioners paid for being recommended?',
        answer: (
          <p>
            No. They pay the same subscription whoever they are, and they keep 100% of the fee you pay. Nobody
            can buy a place in the list.
          </p>
        ),
      },
    ],
  },
  {
    title: 'Paying',
    questions: [
      {
        id: 'cost',
        question: 'What does Hearth cost me?',
        answer: (
          <p>
            Nothing. Hearth is a free marketplace. You pay for sessions, and practitioners set their own
            prices.
          </p>
        ),
      },
      {
        id: 'when-charged',
        question: 'When is my card charged?',
        answer: (
          <p>
            When the session is confirmed, not before. If someone else has just taken the time you chose,
            nothing is charged.
          </p>
        ),
      },
      {
        id: 'referral',
        question: 'How does a referral code work?',
        answer: (
          <p>
            Enter a friend’s code right after you have created your account, and your first session costs 20%
            less. It counts once for each person and card. The practitioner still gets the whole fee.
          </p>
        ),
      },
      {
        id: 'insurance',
        question: 'Can my health insurance pay?',
        answer: (
          <p>
            Some practitioners work with insurers. You can filter the list by company; please ask your insurer
            before the first session what they cover.
          </p>
        ),
      },
    ],
  },
]

export default function FrequentlyAskedQuestions() {
  return (
    <div className="page max-w-3xl">
      <PageHeading title="Frequently asked questions" lead="Short answers to what people ask us most." />
      <div className="measure flex flex-col gap-10">
        <Questions topics={openTopics()} />
        <div className="flex flex-col items-start gap-4 rounded-xl border border-line bg-surface p-6">
          <p>
            Something else? Write to <ContactLink className="text-action underline" />. Please do not send
            anything about your health by email.
          </p>
          <ButtonLink to={foundTherapistsPath} variant="secondary">
            Find a Practitioner
          </ButtonLink>
        </div>
        <p className="text-sm text-faint">
          Updated on <time dateTime="2024-04-01">1 April 2024</time>
        </p>
      </div>
    </div>
  )
}

function openTopics(): Topic[] {
  return topics.map(({ title, questions }) => ({
    title,
    questions: questions.filter(({ page }) => page === undefined || isOpen(page)),
  }))
}
