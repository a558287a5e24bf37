import { useId } from 'react'

/** How much is done, 0 to 100. */
export function ProgressBar({
  label,
  value,
  isValueHidden,
}: {
  label: string
  value: number
  isValueHidden?: boolean
}) {
  const id = useId()
  const percent = Math.round(Math.min(100, Math.max(0, value)))
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-4 text-sm">
        <span id={id} className="font-semibold">
          {label}
        </span>
        {!isValueHidden && <span className="text-soft tabular-nums">{percent}%</span>}
      </div>
      <div
        role="progressbar"
        aria-labelledby={id}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-2 overflow-hidden rounded-full border border-edge bg-sunken"
      >
        <div
          className="h-full rounded-full bg-action transition-[width] forced-colors:bg-[Highlight]"
          style={{ width: `${percent}%` }}
        />
      </div>
    </div>
  )
}
