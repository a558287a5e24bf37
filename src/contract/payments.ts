import { z } from 'zod'
import { FreeText } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

export const Card = z.object({
  /** Names this saved card of the caller. */
  customer_id: z.string(),
  brand: z.string(),
  last4: z.string(),
  expiry_month: z.number().int(),
  expiry_year: z.number().int(),
  /** Its last payment was declined. */
  declined: z.boolean(),
})
export type Card = z.infer<typeof Card>

const Digits = (value: unknown) => (typeof value === 'number' ? String(value) : value)

/** Never logged and never kept: it is exchanged for a token in the same call. */
export const CardDetails = z.object({
  card_number: z.preprocess(
    Digits,
    z
      .string()
      .max(40)
      .transform((text) => text.replace(/[\s-]/g, ''))
      .pipe(z.string().regex(/^\d{12,19}$/, 'Enter the number on the front of the card.')),
  ),
  expiry_month: z.coerce
    .number()
    .int()
    .min(1, 'Enter the month as 1 to 12.')
    .max(12, 'Enter the month as 1 to 12.'),
  expiry_year: z.coerce
    .number()
    .int()
    .min(0)
    .max(2100)
    .transform((year) => (year < 100 ? 2000 + year : year)),
  cvv_number: z.preprocess(
    Digits,
    z.string().regex(/^\d{3,4}$/, 'Enter the 3 digits on the back of the card.'),
  ),
})
export type CardDetails = z.infer<typeof CardDetails>

/** A card by its details, or by the provider's id of it, with what else is said of it. */
const newCard = <Also extends z.ZodRawShape>(also: Also) =>
  z.union([CardDetails.extend(also), z.object({ payment_method_id: FreeText(200).min(1) }).extend(also)])

export const NewCard = newCard({})

export const NewClientCard = newCard({
  /** False: the card pays one session, is not listed, and is removed after it. True when absent. */
  remember: z.boolean().optional(),
})

/** A practitioner's card, which is always remembered, since it is charged every month. */
export const NewTherapistCard = newCard({
  /** False: what is past due is not charged to it by this call, since the caller pays it next. True when absent. */
  charges_due: z.boolean().optional(),
})

export const CardBeginning = z.object({
  /** For the provider's script in the browser; null where the card's own details are sent. */
  client_secret: z.string().nullable(),
})
export type CardBeginning = z.infer<typeof CardBeginning>

const provider = z.object({ provider: z.string().max(40) })

export const paymentEndpoints = defineEndpoints({
  'GET /payment/{provider}/get-client-cards': {
    access: ['client'],
    summary: "The caller's saved cards, newest first",
    params: provider,
    answer: z.array(Card),
  },
  'POST /payment/{provider}/begin-card': {
    access: ['client'],
    summary: "Begin saving a card with the provider's own script",
    params: provider,
    answer: CardBeginning,
    status: 201,
  },
  'POST /payment/{provider}/add-new-card': {
    access: ['client'],
    summary: 'Save a card, for the next sessions or for one session only',
    params: provider,
    body: NewClientCard,
    answer: Card,
    status: 201,
    idempotent: true,
  },
  'DELETE /payment/{provider}/cards/{customer_id}': {
    access: ['client'],
    owner: 'payment_method',
    summary: 'Remove a saved card',
    params: provider.extend({ customer_id: z.uuid() }),
    answer: Card,
  },
})
