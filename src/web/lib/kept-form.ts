import { useEffect, useRef, useState } from 'react'
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form'
import { useForm } from './form.ts'
import { personOf, readSession } from './session.ts'
import { forgetTextsBeside, formTexts, keepTabText, readTabText } from './tab-texts.ts'

/*
 * What was entered into a form and is not sent: kept in this tab until it is sent, the tab is closed or its person signs
 * out. By account: after a session ends another one may sign in within this tab.
 */

const ownPrefix = () => formTexts.of(personOf(readSession())?.email)

/** What this account has entered under a name in this tab. */
export function readKept(name: string): object | undefined {
  const own = ownPrefix()
  forgetTextsBeside(formTexts.all, own)
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
 */
export function useKeptForm<Values extends FieldValues>(
  name: string,
  saved: Values,
  {
    isUsable = () => true,
    isOfSaved = false,
  }: {
    /** Whether what was left can still be sent: otherwise the form begins with what is saved. */
    isUsable?(values: Values): boolean
    /** What was left is a change of what is saved: once another window has saved something else, it is given up. */
    isOfSaved?: boolean
  } = {},
): { form: UseFormReturn<Values>; isUnsaved: boolean; forget(): void } {
  const savedNow = JSON.stringify(saved)
  const [savedFirst] = useState(savedNow)
  const unchanged = isOfSaved ? savedFirst : savedNow
  const [kept] = useState(() => {
    const read: { over?: unknown; entered?: object } | undefined = readKept(name)
    const entered = isOfSaved ? (read?.over === unchanged ? read.entered : undefined) : read
    return entered && isUsable({ ...saved, ...entered }) ? entered : undefined
  })
  const [isUnsaved, setUnsaved] = useState(kept !== undefined)
  const form = useForm<Values>({ defaultValues: { ...saved, ...kept } as DefaultValues<Values> })
  const isForgotten = useRef(false)
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback({ values }) {
          if (isForgotten.current) return
          const isChanged = JSON.stringify(values) !== unchanged
          const entered = isOfSaved ? { over: unchanged, entered: values } : values
          keepEntered(name, isChanged ? entered : undefined)
          setUnsaved(isChanged)
        },
      }),
    [form, name, unchanged, isOfSaved],
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
