import { hours } from '../../clock.ts'
import { defineLimit } from '../../http/limits.ts'

export const dialogsOpenedByAccount = defineLimit('dialogs opened by an account', {
  hits: 30,
  window: hours(1),
})
export const dialogsOpenedFromAddress = defineLimit('dialogs opened from an address', {
  hits: 150,
  window: hours(1),
})
