import { paragraphsOf, previewOf } from './about-text.ts'
import { ShowMore } from './ShowMore.tsx'

/** The practitioner's bio: its beginning, and the rest on demand. */
export function About({ text }: { text: string }) {
  const preview = previewOf(text)
  const whole = (
    <div className="flex flex-col gap-4">
      {paragraphsOf(text).map((paragraph) => (
        <p key={paragraph} className="whitespace-pre-line">
          {paragraph}
        </p>
      ))}
    </div>
  )
  if (preview === undefined) return whole
  return (
    <ShowMore isPreview first={<p>{preview}</p>} rest={whole} moreLabel="Show more" lessLabel="Show less" />
  )
}
