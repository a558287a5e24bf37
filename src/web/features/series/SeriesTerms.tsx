import type { SeriesTerms as Terms } from '#contract/series/series.ts'

/** What is agreed to, as it is kept with the agreement. */
export function SeriesTerms({ terms }: { terms: Terms }) {
  return (
    <div className="flex flex-col gap-2 rounded-lg bg-action-soft p-4 text-sm text-on-action-soft">
      {terms.text.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </div>
  )
}
