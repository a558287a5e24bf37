import {
  type FieldError,
  type FieldValues,
  get,
  type Path,
  type RegisterOptions,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from 'react-hook-form'
import { ApiError, messageOf } from './api-error.ts'
import { type Limited, limitsOf } from './limits.ts'

/**
 * Puts a failed call into the form it came from: a 422 under its fields, first message of each, with the focus on the
 * first of them; anything else, and fields that the form does not have, at `errors.root.server`, to show in an `Alert`.
 * @param names what a field is called on the wire where the form calls it otherwise
 */
export function showApiError<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  names: Partial<Record<string, Path<Values>>> = {},
): void {
  const fields = error instanceof ApiError ? Object.entries(error.errors) : []
  const known = form.getValues()
  const strays: string[] = []
  let isFocused = false
  for (const [wireName, [message]] of fields) {
    if (!message) continue
    const name = names[wireName] ?? (wireName in known ? (wireName as Path<Values>) : undefined)
    if (!name) {
      strays.push(message)
      continue
    }
    form.setError(name, { type: 'server', message }, { shouldFocus: !isFocused })
    isFocused = true
  }
  if (strays.length > 0 || !isFocused) {
    form.setError('root.server', { type: 'server', message: strays.join(' ') || messageOf(error) })
  }
}

/** Registers a field, with what is wrong with it: `{...fieldOf(form, 'email', { required: 'Enter your email.' })}`. */
export function fieldOf<Values extends FieldValues, Name extends Path<Values>>(
  form: UseFormReturn<Values>,
  name: Name,
  rules?: RegisterOptions<Values, Name>,
): UseFormRegisterReturn<Name> & { error: string | undefined } {
  const fault = get(form.formState.errors, name) as FieldError | undefined
  return { error: fault?.message, ...form.register(name, rules) }
}

/** A text of that field, which takes no more than fits: `{...limitedField(form, 'PUT /client/profile', 'name')}`. */
export function limitedField<
  Values extends FieldValues,
  Key extends keyof Limited,
  Field extends keyof Limited[Key] & Path<Values>,
>(form: UseFormReturn<Values>, key: Key, field: Field, rules?: RegisterOptions<Values, Field>) {
  const limits = limitsOf(key, field)
  return {
    ...fieldOf(form, field, { ...limits, ...rules }),
    maxLength: limits.maxLength?.value,
  }
}
