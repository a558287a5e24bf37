import {
  type FieldError,
  type FieldValues,
  get,
  type Path,
  type RegisterOptions,
  type UseFormRegisterReturn,
  type UseFormProps,
  type UseFormReturn,
  useForm as useLibraryForm,
} from 'react-hook-form'
import { ApiError, messageOf } from './api-error.ts'
import { type Limited, limitsOf } from './limits.ts'

/**
 * The library's form without its focus on the first wrong field, which it sets again a moment later: what is typed until
 * then would end in another field. `Form` sets the focus.
 */
export const useForm = <Values extends FieldValues>(props?: UseFormProps<Values>): UseFormReturn<Values> =>
  useLibraryForm({ shouldFocusError: false, ...props })

/**
 * Puts a failed call into the form it came from: a 422 under its fields, first message of each; anything else, and fields
 * that the form does not have, at `errors.root.server`, to show in an `Alert`.
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
  let isShown = false
  for (const [wireName, [message]] of fields) {
    if (!message) continue
    const name = names[wireName] ?? (wireName in known ? (wireName as Path<Values>) : undefined)
    if (!name) {
      strays.push(message)
      continue
    }
    form.setError(name, { type: 'server', message })
    isShown = true
  }
  if (strays.length > 0 || !isShown) {
    form.setError('root.server', { type: 'server', message: strays.join(' ') || messageOf(error) })
  }
}

/** Every message of a form's errors, in the order of its fields. */
export function messagesOf(errors: object): string[] {
  return Object.entries(errors).flatMap(([name, fault]: [string, unknown]) => {
    // The element that an error belongs to.
    if (name === 'ref' || typeof fault !== 'object' || fault === null) return []
    const { message } = fault as { message?: unknown }
    return typeof message === 'string' && message !== '' ? [message] : messagesOf(fault)
  })
}

/**
 * Moves the focus to the first field on the screen that is marked as wrong, and scrolls it into the middle unless it is
 * in plain view. Returns how many are marked.
 */
export function focusFirstInvalid(form: HTMLElement): number {
  const invalid = [...form.querySelectorAll('[data-invalid]')].filter((each) => each.checkVisibility())
  const [first] = invalid
  if (!first) return 0
  // A field in a frame of another origin has none here, and takes the focus by itself.
  const control = controlOf(first) ?? first
  if (control instanceof HTMLElement) control.focus({ preventScroll: true })
  const { top, bottom } = control.getBoundingClientRect()
  // What sticks to the top or bottom of the page or dialog may cover this much.
  const margin = 96
  const room = control.closest('[role=dialog], [role=alertdialog]')?.getBoundingClientRect()
  const isInView =
    top >= Math.max(room?.top ?? 0, 0) + margin &&
    bottom <= Math.min(room?.bottom ?? window.innerHeight, window.innerHeight) - margin
  if (!isInView) control.scrollIntoView({ block: 'center' })
  return invalid.length
}

/** The control that takes the focus for a field: the part that is wrong, what is chosen, or the first. */
function controlOf(field: Element): HTMLElement | undefined {
  const find = (selector: string) => field.querySelector<HTMLElement>(selector) ?? undefined
  return (
    find('[aria-invalid=true]') ??
    find('input[type=radio]:checked:enabled') ??
    find(':is(input:not([type=hidden]), select, textarea):enabled:not([aria-hidden=true])') ??
    find('button[aria-describedby]')
  )
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

/** The rule of a day that has to be chosen, today or later. */
export const fromTodayOn = (today: string) => (day: string) =>
  day === '' ? 'Choose a day.' : day >= today || 'This day has passed. Choose today or later.'

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
