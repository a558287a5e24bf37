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
      <progress
        aria-labelledby={id}
        value={percent}
        max={100}
        className="h-2 w-full appearance-none overflow-hidden rounded-full border border-edge bg-sunken [&::-moz-progress-bar]:rounded-full [&::-moz-progress-bar]:bg-action [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-action forced-colors:appearance-auto"
      />
    </div>
  )
}
