import { IconCertificate, IconHeartHandshake, IconUserHeart } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { subscriptionQuery } from '#web/features/subscriptions/subscription-queries.ts'
import { formatPounds } from '#web/lib/money.ts'
import { pageTitle } from '#web/lib/site.ts'
import { Card } from '#web/ui/Card.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { Section } from '#web/ui/Section.tsx'

export const meta = () => [{ title: pageTitle('Your profile in three steps') }]

export const clientLoader = () => null

export function HydrateFallback() {
  return (
    <div className="page max-w-3xl">
      <PageHeading title="Your profile in three steps" />
      <Loading label="Loading the steps" className="space-y-4">
        {steps.map(({ title }) => (
          <Skeleton key={title} className="h-32" />
        ))}
      </Loading>
    </div>
  )
}

const steps = [
  {
    icon: IconUserHeart,
    title: 'Who you are and how you work',
    text: 'Your bio, the issues you work with and the approaches you use. This is what clients choose by.',
    time: 'About 20 minutes',
  },
  {
    icon: IconHeartHandshake,
    title: 'What you offer',
    text: 'Your services online and face to face, how long they last and what they cost, and where you see people.',
    time: 'About 5 minutes',
  },
  {
    icon: IconCertificate,
    title: 'Insurance and identity',
    text: 'Your indemnity insurance, a document that shows who you are, your DBS check and your licences. We look at each before clients see you.',
    time: 'About 10 minutes, with the documents at hand',
  },
] as const

export default function TherapistEasySteps() {
  return (
    <div className="page max-w-3xl">
      <PageHeading
        title="Your profile in three steps"
        lead="Each answer is saved as you go. You can stop at any point and carry on later, even on another device."
      />
      <ol className="flex flex-col gap-4">
        {steps.map(({ icon: Icon, title, text, time }, at) => (
          <li key={title}>
            <Card className="flex gap-4 sm:gap-6">
              <Icon aria-hidden size={36} stroke={1.5} className="mt-1 shrink-0 text-action" />
              <div>
                <h2 className="text-xl">
                  <span className="sr-only">Step {at + 1}: </span>
                  {title}
                </h2>
                <p className="mt-1 text-soft">{text}</p>
                <p className="mt-2 text-sm text-soft">{time}</p>
              </div>
            </Card>
          </li>
        ))}
      </ol>
      <Price />
      <ButtonLink to="/therapist/personal-info" className="mt-8">
        Begin with your profile
      </ButtonLink>
    </div>
  )
}

/** What it costs, before anything is filled in. */
function Price() {
  const { data } = useQuery(subscriptionQuery())
  return (
    <Section title="What it costs" className="mt-8 rounded-lg bg-sunken p-5">
      <p className="mt-1">
        Setting up your profile is free of charge. To be found by clients you need a subscription
        {data && (
          <>
            {' '}
            for <strong>{formatPounds(data.price)} a month</strong>
          </>
        )}
        . It begins once your profile is approved, and you can cancel at any time. You keep everything clients
        pay for sessions.
      </p>
    </Section>
  )
}
