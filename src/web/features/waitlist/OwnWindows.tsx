import { useEffect, useRef } from 'react'
import type { WaitlistWindow } from '#contract/waitlist/waitlist.ts'
import { EntryButton } from '#web/ui/EntryButton.tsx'
import { ChipGroup } from '#web/ui/ChipGroup.tsx'
import { Select } from '#web/ui/Select.tsx'
import { faultOf, weekdayNames, weekdaysLabel, windowHours } from './windows.ts'

type Props = {
  windows: readonly WaitlistWindow[]
  onChange(windows: WaitlistWindow[]): void
  /** Marks what is wrong with each. */
  isChecked: boolean
}

/** As many as an entry may have beside the usual ones. */
const maxOwn = 6

/** Times that no chip offers: some days, from one hour to another. */
export function OwnWindows({ windows, onChange, isChecked }: Props) {
  const add = useRef<HTMLButtonElement>(null)
  const newest = useRef<HTMLInputElement>(null)
  const pressed = useRef<'add' | 'remove'>(undefined)
  // The new row, or the button after six of them, is there once the press has been rendered.
  useEffect(() => {
    if (pressed.current === 'add' && windows.length > 0) newest.current?.focus()
    if (pressed.current === 'remove') add.current?.focus()
    pressed.current = undefined
  }, [windows.length])
  const change = (at: number, next: Partial<WaitlistWindow>) =>
    onChange(windows.map((window, index) => (index === at ? { ...window, ...next } : window)))
  return (
    <div className="flex flex-col gap-4">
      {windows.map((window, at) => {
        const fault = isChecked ? faultOf(window) : undefined
        const name = windows.length === 1 ? 'Your own times' : `Your own times ${at + 1}`
        return (
          // Rows are alike, and are known by their place alone.
          // oxlint-disable-next-line react/no-array-index-key
          <fieldset key={at} className="flex flex-col gap-4 rounded-lg border border-line bg-raised p-4">
            <legend className="sr-only">{name}</legend>
            <ChipGroup
              label={`${name}: days`}
              name={`days-${at}`}
              {...(at === windows.length - 1 && { ref: newest })}
              {...(fault?.days && { error: fault.days })}
              value={window.weekdays.map(String)}
              onChange={(days) => change(at, { weekdays: days.map(Number) })}
              options={weekdayNames.map((label, index) => ({ value: String(index + 1), label }))}
            />
            <div className="grid grid-cols-2 gap-4">
              <Select
                label="From"
                value={window.from}
                onChange={(event) => change(at, { from: event.currentTarget.value })}
                options={windowHours.slice(0, -1).map(hourOption)}
              />
              <Select
                label="Until"
                {...(fault?.to && { error: fault.to })}
                value={window.to}
                onChange={(event) => change(at, { to: event.currentTarget.value })}
                options={windowHours.slice(1).map(hourOption)}
              />
            </div>
            <div>
              <EntryButton
                variant="quiet"
                size="small"
                aria-label={`Remove ${name.toLowerCase()}${window.weekdays.length > 0 ? `, ${weekdaysLabel(window.weekdays)}` : ''}`}
                onPress={() => {
                  pressed.current = 'remove'
                  onChange(windows.filter((_, index) => index !== at))
                }}
              >
                Remove
              </EntryButton>
            </div>
          </fieldset>
        )
      })}
      {windows.length < maxOwn && (
        <div>
          <EntryButton
            ref={add}
            variant="secondary"
            size="small"
            onPress={() => {
              pressed.current = 'add'
              onChange([...windows, { weekdays: [], from: '09:00', to: '12:00' }])
            }}
          >
            {windows.length === 0 ? 'Add days and times of your own' : 'Add more'}
          </EntryButton>
        </div>
      )}
    </div>
  )
}

const hourOption = (hour: string) => ({ value: hour, label: hour })
