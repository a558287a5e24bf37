import { IconClock, IconCoinPound, IconHandStop, IconSearch, IconUserHeart } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Card } from '#web/ui/Card.tsx'
import { InfoTip } from '#web/ui/InfoTip.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { helpStepPath } from './help-paths.ts'

const facts: { icon: typeof IconClock; text: ReactNode; tip: string; more: string }[] = [
  {
    icon: IconClock,
    text: '15 minutes, online',
    tip: 'About the session',
    more: 'You talk by video and in a private chat. There is nothing to install.',
  },
  {
    icon: IconUserHeart,
    text: 'With the first available therapist',
    tip: 'About the therapist',
    more: 'Someone vetted, who works with what you need help with and is free right now. You see who it is before you pay.',
  },
  {
    icon: IconCoinPound,
    text: '£25, a fixed price',
    tip: 'About the price',
    more: 'Your card is charged only once a therapist has accepted. If nobody can, you pay nothing: the amount reserved on your card is released within 24 hours.',
  },
  {
    icon: IconSearch,
    text: 'You see at once who is free',
    tip: 'About the search',
    more: 'Once you have paid, they have two minutes to accept. If they cannot, we ask the next one, and you see each name.',
  },
  {
    icon: IconHandStop,
    text: 'You can stop free of charge until someone accepts',
    tip: 'About stopping',
    more: 'Until then you can stop with one button. Once a therapist has accepted, the session has begun and can no longer be cancelled.',
  },
]

/** What it is, what it costs and what happens, each with a word more for who wants it. */
export function Description() {
  return (
    <>
      <Card className="!py-3">
        <ul className="divide-y divide-line">
          {facts.map(({ icon: Icon, text, tip, more }) => (
            <li key={tip} className="flex items-center gap-3 py-1.5">
              <Icon aria-hidden size={24} className="shrink-0 text-action" />
              <span className="grow">{text}</span>
              <InfoTip label={tip}>{more}</InfoTip>
            </li>
          ))}
        </ul>
      </Card>
      <ButtonLink to={helpStepPath('issues')} className="sm:self-start">
        Next step
      </ButtonLink>
    </>
  )
}
