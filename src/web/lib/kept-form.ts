import { useEffect, useRef, useState } from 'react'
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form'
import { useForm } from './form.ts'
import { personOf, readSession } from './session.ts'
import { forgetTextsBeside, keepTabText, readTabText } from './tab-texts.ts'

/*
 * What was typed into short forms and is not sent: kept in this tab until it is sent, the tab is closed or its person signs
 * out. By account: after a session ends another one may sign in within this tab.
 */

const kind = 'form-'
const ownPrefix = () => `${kind}${personOf(readSession())?.email}-`

function read(name: string): string | null {
  const own = ownPrefix()
  forgetTextsBeside(kind, own)
  return readTabText(own + name)
}

const keep = (name: string, text: string | undefined) => keepTabText(ownPrefix() + name, text)

/**
 * A form filled in as it was left, also after signing in again. `isUnsaved` while it differs from what is saved; `forget` is
 * for what is sent, or not wanted any more.
 */
export function useKeptForm<Values extends FieldValues>(
  name: string,
  saved: Values,
): { form: UseFormReturn<Values>; isUnsaved: boolean; forget(): void } {
  const [kept] = useState(() => readValues(name))
  const [isUnsaved, setUnsaved] = useState(kept !== undefined)
  const form = useForm<Values>({ defaultValues: { ...saved, ...kept } as DefaultValues<Values> })
  const isForgotten = useRef(false)
  const unchanged = JSON.stringify(saved)
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback({ values }) {
          if (isForgotten.current) return
          const written = JSON.stringify(values)
          keep(name, written === unchanged ? undefined : written)
          setUnsaved(written !== unchanged)
        },
      }),
    [form, name, unchanged],
  )
  return {
    form,
    isUnsaved,
    forget() {
      isForgotten.current = true
      keep(name, undefined)
    },
  }
}

function readValues(name: string): object | undefined {
  try {
    const values: unknown = JSON.parse(read(name) ?? 'null')
    return typeof values === 'object' && values !== null ? values : undefined
  } catch {
    return undefined
  }
}
