import { useEffect, useRef } from 'react'

const themes = [
  { value: 'system', label: 'As my device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** Light, dark, or as the device is. The script of lib/theme-script.ts keeps the choice and shows it. */
export function ThemeSwitch() {
  const group = useRef<HTMLFieldSetElement>(null)
  // One that comes into the page later shows the choice too.
  useEffect(() => {
    const chosen = document.documentElement.dataset.theme ?? 'system'
    const input = group.current?.querySelector<HTMLInputElement>(`[value="${chosen}"]`)
    if (input) input.checked = true
  }, [])
  return (
    <fieldset ref={group} className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {/* Safari puts a legend that is seen on a line of its own. */}
      <legend className="sr-only">Colours</legend>
      <span aria-hidden className="mr-4 text-sm text-soft">
        Colours
      </span>
      <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-full border border-edge bg-paper p-1">
        {themes.map(({ value, label }) => (
          <label key={value} className="segment text-sm">
            <input
              type="radio"
              name="theme"
              value={value}
              defaultChecked={value === 'system'}
              className="sr-only"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
