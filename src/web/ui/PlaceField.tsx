import { type ComponentProps, useState } from 'react'
import { defaultRadius, radii, type Radius, withoutInward } from '#contract/places.ts'
import { milesLabel } from '#web/lib/miles.ts'
import { Select } from './Select.tsx'
import { TextField } from './TextField.tsx'

/** Refuses a full postcode where no script has cut it. */
const notInFull = '(?!.*[0-9]\\s*[A-Za-z]{2}\\s*$).*'

type PlaceFieldProps = Pick<
  ComponentProps<typeof TextField>,
  'label' | 'name' | 'maxLength' | 'description' | 'placeholder' | 'required' | 'className'
> & {
  /** Where there is no `onCommit`, what the form begins with. */
  value?: string | undefined
  /** Called when the field is left, or by the Enter key, which then sends no form. */
  onCommit?(text: string): void
}

/** A town or a postcode, which is cut to its first half before it is sent: the whole of it is as good as an address. */
export function PlaceField({ value = '', onCommit, ...field }: PlaceFieldProps) {
  const [text, setText] = useState({ typed: value, value })
  // What is being typed stays.
  if (text.value !== value) setText({ typed: text.typed === text.value ? value : text.typed, value })
  const commit = (input: HTMLInputElement) => {
    const place = withoutInward(input.value)
    setText((known) => ({ ...known, typed: place }))
    // A form that is sent next reads the field itself.
    input.value = place
    if (place !== value) onCommit?.(place)
  }
  return (
    <TextField
      {...field}
      type="search"
      autoComplete="off"
      spellCheck={false}
      pattern={notInFull}
      title="The first half of a postcode is enough, such as LS6"
      {...(onCommit ? { value: text.typed } : { defaultValue: value })}
      onChange={(event) => {
        const { value: typed } = event.currentTarget
        setText((known) => ({ ...known, typed }))
      }}
      onBlur={(event) => commit(event.currentTarget)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        if (onCommit) event.preventDefault()
        commit(event.currentTarget)
      }}
    />
  )
}

type RadiusProps = {
  name: string
  /** Absent for the usual distance. */
  value?: Radius | undefined
  onChange?(radius: Radius | undefined): void
}

/** How far from a place. */
export function RadiusSelect({ name, value = defaultRadius, onChange }: RadiusProps) {
  return (
    <Select
      {...(onChange ? { value: String(value) } : { defaultValue: String(value) })}
      label="Within"
      name={name}
      options={radii.map((radius) => ({ value: String(radius), label: milesLabel(radius) }))}
      onChange={(event) => {
        const chosen = radii.find((radius) => String(radius) === event.currentTarget.value)
        onChange?.(chosen === defaultRadius ? undefined : chosen)
      }}
    />
  )
}
