import { useState } from 'react'
import { Form } from 'react-router'
import { Button } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/TextField.tsx'

/** Searches a list by its address, so that the way back leads to what was there before. */
export function SearchField({
  label,
  name,
  value,
  kept = {},
}: {
  label: string
  name: string
  value: string
  /** What else the address says and goes on saying. */
  kept?: Record<string, string>
}) {
  const [typed, setTyped] = useState(value)
  return (
    <search>
      <Form className="flex flex-wrap items-end gap-3">
        {Object.entries(kept).map(([key, text]) => (
          <input key={key} type="hidden" name={key} value={text} />
        ))}
        <TextField
          label={label}
          name={name}
          type="search"
          autoComplete="off"
          maxLength={100}
          className="min-w-0 grow basis-60 sm:max-w-sm"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" variant="secondary">
          Search
        </Button>
      </Form>
    </search>
  )
}
