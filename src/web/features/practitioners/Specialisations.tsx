import { Tags } from '#web/ui/Tags.tsx'
import { ShowMore } from './ShowMore.tsx'

const shownAtFirst = 4

/** The issues that a practitioner treats; the first few, and the rest on demand. */
export function Specialisations({ names }: { names: readonly string[] }) {
  const first = <Tags items={names.slice(0, shownAtFirst)} />
  if (names.length <= shownAtFirst) return first
  return (
    <ShowMore
      first={first}
      rest={<Tags items={names.slice(shownAtFirst)} className="mt-1.5" />}
      moreLabel="See all specializations"
      lessLabel="Show fewer"
    />
  )
}
