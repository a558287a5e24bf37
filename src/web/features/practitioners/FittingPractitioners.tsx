import type { PractitionerCard } from '#contract/practitioners/practitioners.ts'
import { serverNow } from '#web/lib/clock.ts'
import { viewerZone, zoneNote } from '#web/lib/time.ts'
import { pageZone } from '#web/lib/viewer-zone.ts'
import { Card } from '#web/ui/Card.tsx'
import { TextLink } from '#web/ui/Link.tsx'
import { Portrait } from '#web/ui/Portrait.tsx'
import { fittingReasons } from './fitting-reasons.ts'
import { profilePath } from '#web/lib/profile-path.ts'

type Props = {
  cards: readonly PractitionerCard[]
  /** What all of them offer, in words. */
  offer: string
}

/** A few practitioners who fit, each with a reason and the way to their profile. */
export function FittingPractitioners({ cards, offer }: Props) {
  if (cards.length === 0) return null
  const reader = { zone: viewerZone(), now: serverNow() }
  const reasons = fittingReasons(cards, offer, reader)
  const note = zoneNote(reader.now, reader.zone, pageZone)
  return (
    <section aria-labelledby="fitting" className="flex flex-col gap-4">
      <h2 id="fitting" className="text-2xl">
        {cards.length === 1 ? 'Someone who fits' : 'People who fit'}
      </h2>
      {note && <p className="text-sm text-soft">Times are in {note}.</p>}
      <ul className="grid grid-cols-1 gap-4 lg:grid-cols-3">
        {cards.map((card, at) => (
          <Card
            key={card.practitioner_id}
            as="li"
            className="relative flex items-start gap-4 !p-5 transition-colors hover:border-edge"
          >
            <Portrait name={card.full_name} image={card.profile_image} size={64} />
            <div className="min-w-0">
              <h3 className="text-lg leading-tight">
                <TextLink
                  to={profilePath(card.practitioner_id)}
                  tone="plain"
                  className="after:absolute after:inset-0 after:rounded-xl"
                >
                  {card.full_name}
                </TextLink>
              </h3>
              <p className="text-sm text-soft">{card.provider_types.join(', ')}</p>
              <p className="mt-2 text-sm">{reasons[at]}</p>
            </div>
          </Card>
        ))}
      </ul>
    </section>
  )
}
