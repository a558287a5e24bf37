import { hours, minutes } from '../../clock.ts'
import { defineLimit } from '../../http/limits.ts'

export const signInFailuresOfAccount = defineLimit('sign-in failures of an account', {
  hits: 10,
  window: minutes(15),
})
export const signInFailuresInKnownBrowser = defineLimit('sign-in failures in a known browser', {
  hits: 10,
  window: minutes(15),
})
export const signInFailuresAtKnownAddress = defineLimit('sign-in failures at a known address', {
  hits: 10,
  window: minutes(15),
})
export const signInFailuresFromAddress = defineLimit('sign-in failures from an address', {
  hits: 100,
  window: minutes(15),
})
/** With the right password: each leaves rows for as long as its tokens are good. */
export const signInsOfAccount = defineLimit('sign-ins of an account', { hits: 200, window: hours(1) })
export const confirmationsOfAccount = defineLimit('confirmations of an account', {
  hits: 10,
  window: minutes(15),
})
export const handOversFromAddress = defineLimit('sign-ins handed over from an address', {
  hits: 600,
  window: hours(1),
})
export const registrationsFromAddress = defineLimit('registrations from an address', {
  hits: 200,
  window: hours(1),
})
export const passwordMailsToAccount = defineLimit('password mails to an account', {
  hits: 5,
  window: hours(1),
})
export const confirmationMailsToAccount = defineLimit('confirmation mails to an account', {
  hits: 5,
  window: hours(1),
})
export const confirmationMailsFromAddress = defineLimit('confirmation mails from an address', {
  hits: 50,
  window: hours(1),
})
export const emailChangesOfAccount = defineLimit('email changes of an account', { hits: 5, window: hours(1) })
export const emailChangesFromAddress = defineLimit('email changes from an address', {
  hits: 50,
  window: hours(1),
})
export const exportsOfAccount = defineLimit('exports of an account', { hits: 20, window: hours(1) })
export const passwordMailsFromAddress = defineLimit('password mails from an address', {
  hits: 100,
  window: hours(1),
})
export const referralCodesFromAddress = defineLimit('referral codes from an address', {
  hits: 100,
  window: hours(1),
})
/** Of messages and of reviews together. */
export const reportsOfAccount = defineLimit('reports of an account', { hits: 30, window: hours(1) })
