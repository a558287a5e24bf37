import { hours } from '../../clock.ts'
import { defineLimit } from '../../http/limits.ts'

export const newCardsOfClient = defineLimit('new cards of a client', { hits: 10, window: hours(1) })
export const cardsBegunByAccount = defineLimit('cards begun by an account', { hits: 20, window: hours(1) })
export const declinedPaymentsOfClient = defineLimit('declined payments of a client', {
  hits: 5,
  window: hours(1),
})
