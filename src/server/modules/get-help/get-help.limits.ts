import { hours } from '../../clock.ts'
import { defineLimit } from '../../http/limits.ts'

export const helpSearchesOfClient = defineLimit('searches for help of a client', {
  hits: 20,
  window: hours(1),
})
