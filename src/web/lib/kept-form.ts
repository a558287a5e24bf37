import { useEffect, useRef, useState } from 'react'
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form'
import { useForm } from './form.ts'
import { personOf, readSession } from './session.ts'
import { forgetTextsBeside, keepTabText, readTabText } from './tab-texts.ts'

/*
 * What was entered into a form and is not sent: kept in this tab until it is sent, the tab is closed or its person signs
 * out. By account: after a session ends another one may sign in within this tab.
 */

const kind = 'form-'
const ownPrefix = () => `${kind}${personOf(readSession())?.email}-`

/** What this account has entered under a name in this tab. */
export function readKept(name: string): object | undefined {
  const own = ownPrefix()
  forgetTextsBeside(kind, own)
  try {
    const values: unknown = JSON.parse(readTabText(own + name) ?? 'null')
    return typeof values === 'object' && values !== null ? values : undefined
  } catch {
    return undefined
  }
}

/** `undefined` removes it. */
export function keepEntered(name: string, entered: object | undefined): void {
  keepTabText(ownPrefix() + name, entered && JSON.stringify(entered))
}

/**
 * A form filled in as it was left, also after signing in again. `isUnsaved` while it differs from what is saved; `forget` is
 * for what is sent, or not wanted any more.
 * @param isUsable whether what was left can still be sent: otherwise the form begins with what is saved
 */
export function useKeptForm<Values extends FieldValues>(
  name: string,
  saved: Values,
  isUsable: (values: Values) => boolean = () => true,
): { form: UseFormReturn<Values>; isUnsaved: boolean; forget(): void } {
  const [kept] = useState(() => {
    const read = readKept(name)
    return read && isUsable({ ...saved, ...read }) ? read : undefined
  })
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
          const isChanged = JSON.stringify(values) !== unchanged
          keepEntered(name, isChanged ? values : undefined)
          setUnsaved(isChanged)
        },
      }),
    [form, name, unchanged],
  )
  return {
    form,
    isUnsaved,
    forget() {
      isForgotten.current = true
      keepEntered(name, undefined)
    },
  }
}
