import type {
  StripeCardCvcElement,
  StripeCardExpiryElement,
  StripeCardNumberElement,
  StripeElementChangeEvent,
} from '@stripe/stripe-js'
import { useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useForm } from '#web/lib/form.ts'
import { loadStripe } from '#web/lib/stripe.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { Form } from '#web/ui/Form.tsx'
import { classes } from '#web/ui/classes.ts'
import { FieldSet } from '#web/ui/FieldFrame.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import type { CardFormProps } from './card-form.ts'
import { isRemembered, nothingChosen, RememberChoice, type Remembering } from './RememberChoice.tsx'

type Part = 'cardNumber' | 'cardExpiry' | 'cardCvc'
type PartState = { isComplete: boolean; isFocused: boolean; problem: string | undefined }

const parts: { part: Part; label: string; missing: string }[] = [
  { part: 'cardNumber', label: 'Card number', missing: 'Enter the number on the front of the card.' },
  { part: 'cardExpiry', label: 'Expiry date', missing: 'Enter the date on which the card expires.' },
  { part: 'cardCvc', label: 'Security code', missing: 'Enter the 3 digits on the back of the card.' },
]
const untouched: PartState = { isComplete: false, isFocused: false, problem: undefined }

/**
 * Stripe's own fields, each in a frame of its own: what is typed there is Stripe's to see, not ours. Stripe saves the
 * card, which may lead to the bank's question, and our server is sent its name there.
 */
export function StripeCardForm<SavedCard>(form: CardFormProps<SavedCard>) {
  const [tries, setTries] = useState(0)
  return <StripeFields key={tries} {...form} onRetry={() => setTries((before) => before + 1)} />
}

function StripeFields<SavedCard>({
  begin,
  save: send,
  rememberLabel,
  rememberNote,
  submitLabel,
  onceLabel,
  isBusy,
  onSaved,
  onRetry,
}: CardFormProps<SavedCard> & { onRetry(): void }) {
  const form = useForm<Remembering>({ defaultValues: nothingChosen })
  const mayBeOnce = onceLabel !== undefined
  const fields = useStripeFields()
  const remembered = isRemembered(useWatch({ control: form.control }), mayBeOnce)

  const save = async (values: Remembering): Promise<void> => {
    const isKept = isRemembered(values, mayBeOnce)
    if (isKept === undefined) return
    const id = await fields.saveThere(begin)
    const card = await send({ payment_method_id: id, ...(isKept ? {} : { remember: false as const }) })
    fields.clearCode()
    onSaved(card, { isRemembered: isKept })
  }

  function showRefusal(error: unknown): boolean {
    if (error instanceof Refused) form.setError('root.server', { type: 'server', message: error.message })
    return error instanceof Refused
  }

  if (fields.error !== undefined) {
    return (
      <ErrorAlert
        error={fields.error}
        title="The card fields did not load"
        actions={
          <Button size="small" variant="secondary" onPress={onRetry}>
            Try again
          </Button>
        }
      />
    )
  }
  return (
    <Form
      form={form}
      onSubmit={save}
      check={fields.check}
      onFailure={showRefusal}
      failureTitle="Your card was not saved"
    >
      <div className="grid gap-5 min-[24rem]:grid-cols-2">
        {parts.map(({ part, label }) => {
          const { problem, isFocused } = fields.states[part]
          return (
            <FieldSet
              key={part}
              label={label}
              {...(problem ? { error: problem } : {})}
              className={part === 'cardNumber' ? 'min-[24rem]:col-span-2' : ''}
            >
              <div
                className={classes(
                  'field h-12',
                  isFocused && 'border-focus outline-3 outline-focus',
                  problem && 'border-danger',
                )}
              >
                {/* A frame whose page is light is painted over in white wherever its own place is dark. */}
                <div ref={fields.place(part)} className="h-full scheme-light" />
              </div>
            </FieldSet>
          )
        })}
      </div>
      <RememberChoice form={form} mayBeOnce={mayBeOnce} label={rememberLabel} note={rememberNote} />
      <SubmitButton isWaiting={!fields.isReady} isPending={isBusy} pendingLabel="Please wait" fullWidth>
        {remembered === false ? onceLabel : submitLabel}
      </SubmitButton>
    </Form>
  )
}

/** What Stripe or the bank says against a card, in its own words for people. */
class Refused extends Error {}

type Mounted = {
  cardNumber: StripeCardNumberElement
  cardExpiry: StripeCardExpiryElement
  cardCvc: StripeCardCvcElement
}

/** Puts Stripe's fields into their places, and follows what goes on in them. */
function useStripeFields() {
  const places = useRef<Partial<Record<Part, HTMLElement>>>({})
  const mounted = useRef<Mounted>(undefined)
  /** Saved with Stripe as it stands in the fields, and perhaps not with us yet. */
  const savedThere = useRef<string>(undefined)
  /** Counts what is typed: a card that was corrected while Stripe saved it does not stand in the fields any more. */
  const changes = useRef(0)
  const [states, setStates] = useState<Record<Part, PartState>>({
    cardNumber: untouched,
    cardExpiry: untouched,
    cardCvc: untouched,
  })
  const [isReady, setReady] = useState(false)
  const [error, setError] = useState<unknown>()

  useEffect(() => {
    let isGone = false
    let remove = () => undefined as void
    loadStripe()
      .then((stripe) => {
        if (isGone) return
        const elements = stripe.elements({ locale: 'en-GB' })
        const style = lookOf(places.current.cardNumber)
        const made: Mounted = {
          cardNumber: elements.create('cardNumber', { style, showIcon: true }),
          cardExpiry: elements.create('cardExpiry', { style }),
          cardCvc: elements.create('cardCvc', { style }),
        }
        for (const { part } of parts) {
          const place = places.current[part]
          if (place) made[part].mount(place)
        }
        const follow = (part: Part) => ({
          changed: ({ complete, error: wrong }: Followed) => {
            changes.current += 1
            savedThere.current = undefined
            setStates(patched(part, { isComplete: complete, problem: wrong?.message }))
          },
          focused: () => setStates(patched(part, { isFocused: true })),
          blurred: () => setStates(patched(part, { isFocused: false })),
        })
        const [number, expiry, code] = [follow('cardNumber'), follow('cardExpiry'), follow('cardCvc')]
        made.cardNumber.on('change', number.changed).on('focus', number.focused).on('blur', number.blurred)
        made.cardExpiry.on('change', expiry.changed).on('focus', expiry.focused).on('blur', expiry.blurred)
        made.cardCvc.on('change', code.changed).on('focus', code.focused).on('blur', code.blurred)
        made.cardNumber.on('ready', () => setReady(true))
        mounted.current = made
        remove = () => {
          for (const { part } of parts) made[part].destroy()
          mounted.current = undefined
        }
      })
      .catch((thrown: unknown) => {
        if (!isGone) setError(thrown)
      })
    return () => {
      isGone = true
      remove()
    }
  }, [])

  return {
    states,
    isReady,
    error,
    place: (part: Part) => (node: HTMLElement | null) => {
      if (node) places.current[part] = node
    },

    /** Marks what is missing, and goes to the first of it. Whether nothing is. */
    check(): boolean {
      const lacking = parts.filter(({ part }) => !states[part].isComplete)
      for (const { part, missing } of lacking)
        setStates(patched(part, { problem: states[part].problem ?? missing }))
      const [first] = lacking
      if (first) mounted.current?.[first.part].focus()
      return !first
    },

    /** Once for what is in the fields. @throws Refused for what Stripe or the bank says against the card */
    async saveThere(begin: CardFormProps<unknown>['begin']): Promise<string> {
      if (savedThere.current) return savedThere.current
      const stripe = await loadStripe()
      const { client_secret: secret } = await begin()
      const card = mounted.current?.cardNumber
      if (!secret || !card) throw new Error('The card form is not ready. Please load this page again.')
      const changesBefore = changes.current
      const { setupIntent, error: refusal } = await stripe.confirmCardSetup(secret, {
        payment_method: { card },
      })
      if (refusal)
        throw new Refused(refusal.message ?? 'Your card could not be saved. Please try another one.')
      const { payment_method: method } = setupIntent
      if (!method) throw new Error('Stripe has saved no card.')
      const id = typeof method === 'string' ? method : method.id
      if (changes.current === changesBefore) savedThere.current = id
      return id
    },

    /** The card is with us: what is sent next is a card of its own, with its code typed again. */
    clearCode() {
      savedThere.current = undefined
      mounted.current?.cardCvc.clear()
    },
  }
}

function patched(part: Part, patch: Partial<PartState>) {
  return (before: Record<Part, PartState>) => ({ ...before, [part]: { ...before[part], ...patch } })
}

type Followed = Pick<StripeElementChangeEvent, 'complete'> & { error?: { message: string } | undefined }

/** The style of Stripe's fields, which are drawn in its frames: colours and text size of the place that they stand in. */
function lookOf(place: HTMLElement | undefined) {
  const box = place?.parentElement
  if (!box) return {}
  const { color, fontSize } = getComputedStyle(box)
  return { base: { color, fontSize, fontFamily: 'system-ui, sans-serif', iconColor: color } }
}
