import type { Kept } from '#contract/accounts/personal-data.ts'

/** What stays after an account is deleted, each with why and how long. */
export function KeptList({ kept }: { kept: readonly Kept[] }) {
  return (
    <ul className="flex list-disc flex-col gap-4 pl-6 marker:text-ember">
      {kept.map(({ what, why, how_long }) => (
        <li key={what}>
          <span className="block text-ink">{what}</span>
          <span className="block text-sm text-soft">{why}</span>
          <span className="block text-sm text-soft">
            <span className="font-semibold">How long:</span> {how_long}
          </span>
        </li>
      ))}
    </ul>
  )
}
