import { keepEntered } from '#web/lib/kept-form.ts'

/** What the parts of the calendar page keep in the tab while it is not saved. */
export const keptNames = { week: 'schedule', rules: 'booking-rules', timeOff: 'time-off' } as const

/** Forgets all of it, once the page is left without saving. */
export function forgetUnsaved(): void {
  for (const name of Object.values(keptNames)) keepEntered(name, undefined)
}
