import { useEffect, useRef } from 'react'
import { type UseFormRegisterReturn, useWatch } from 'react-hook-form'
import { useForm } from '#web/lib/form.ts'
import { serverNow } from '#web/lib/clock.ts'
import { Form } from '#web/ui/Form.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import {
  cardLengths,
  cardNumberProblem,
  caretAfterDigits,
  codeProblem,
  digitsOf,
  expiryOf,
  expiryProblem,
  formatCardNumber,
  formatCode,
  formatExpiry,
} from './card-input.ts'
import type { CardFormProps } from './card-form.ts'
import { isRemembered, nothingChosen, RememberChoice, type Remembering } from './RememberChoice.tsx'
import { TestCards } from './TestCards.tsx'

type Values = { number: string; expiry: string; code: string } & Remembering

/** The product's own fields, for the sandbox: nothing but its test cards gets any further. */
export function OwnCardForm<SavedCard>({
  save: send,
  rememberLabel,
  rememberNote,
  submitLabel,
  onceLabel,
  isBusy,
  onSaved,
}: CardFormProps<SavedCard>) {
  const form = useForm<Values>({ defaultValues: { number: '', expiry: '', code: '', ...nothingChosen } })
  const mayBeOnce = onceLabel !== undefined
  const { errors } = form.formState
  const remembered = isRemembered(useWatch({ control: form.control }), mayBeOnce)

  // Typed again after a decline; until then all of it stays, also behind the bank's question.
  const isSpent = useRef(false)
  useEffect(() => {
    if (isBusy || !isSpent.current) return
    isSpent.current = false
    form.resetField('code')
  }, [form, isBusy])

  const save = async (values: Values): Promise<void> => {
    const expiry = expiryOf(values.expiry)
    const isKept = isRemembered(values, mayBeOnce)
    if (isKept === undefined || !expiry) return
    const body = {
      card_number: digitsOf(values.number),
      expiry_month: expiry.month,
      expiry_year: expiry.year,
      cvv_number: values.code,
      ...(isKept ? {} : { remember: false as const }),
    }
    const card = await send(body)
    if (isBusy === undefined) form.resetField('code')
    else isSpent.current = true
    onSaved(card, { isRemembered: isKept })
  }

  return (
    <Form
      form={form}
      onSubmit={save}
      failureTitle="Your card was not saved"
      wireNames={{ card_number: 'number', expiry_month: 'expiry', expiry_year: 'expiry', cvv_number: 'code' }}
    >
      <TestCards />
      <TextField
        label="Card number"
        autoComplete="cc-number"
        inputMode="numeric"
        maxLength={cardLengths.number}
        placeholder="0000 0000 0000 0000"
        error={errors.number?.message}
        {...formatted(
          form.register('number', { validate: (text) => cardNumberProblem(text) ?? true }),
          formatCardNumber,
        )}
      />
      <div className="grid gap-5 min-[24rem]:grid-cols-2">
        <TextField
          label="Expiry date"
          autoComplete="cc-exp"
          inputMode="numeric"
          maxLength={cardLengths.expiry}
          placeholder="MM / YY"
          error={errors.expiry?.message}
          {...formatted(
            form.register('expiry', { validate: (text) => expiryProblem(text, serverNow()) ?? true }),
            formatExpiry,
          )}
        />
        <TextField
          label="Security code"
          type="password"
          autoComplete="cc-csc"
          inputMode="numeric"
          maxLength={cardLengths.code}
          placeholder="•••"
          error={errors.code?.message}
          {...formatted(form.register('code', { validate: (text) => codeProblem(text) ?? true }), formatCode)}
        />
      </div>
      <RememberChoice form={form} mayBeOnce={mayBeOnce} label={rememberLabel} note={rememberNote} />
      <SubmitButton isPending={isBusy} pendingLabel="Please wait" fullWidth>
        {remembered === false ? onceLabel : submitLabel}
      </SubmitButton>
    </Form>
  )
}

/** The same registration, with what is typed or pasted put into shape before the form reads it. */
function formatted(
  registered: UseFormRegisterReturn,
  format: (text: string) => string,
): UseFormRegisterReturn {
  return {
    ...registered,
    onChange: (event: { target: HTMLInputElement; type?: string }) => {
      reformat(event.target, format)
      return registered.onChange(event)
    },
  }
}

/** Formats in place and leaves the caret behind the digits that it stood behind. */
function reformat(input: HTMLInputElement, format: (text: string) => string): void {
  const shown = format(input.value)
  if (shown === input.value) return
  const isAtEnd = input.selectionStart === input.value.length
  const before = digitsOf(input.value.slice(0, input.selectionStart ?? input.value.length)).length
  input.value = shown
  const caret = isAtEnd ? shown.length : caretAfterDigits(shown, before)
  input.setSelectionRange(caret, caret)
}
