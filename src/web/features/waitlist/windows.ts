import type { WaitlistWindow } from '#contract/waitlist/waitlist.ts'

/** Times of a week that are chosen with one press. */
export const usualWindows = [
  {
    key: 'mornings',
    label: 'Mon–Fri mornings',
    window: { weekdays: [1, 2, 3, 4, 5], from: '08:00', to: '12:00' },
  },
  {
    key: 'afternoons',
    label: 'Mon–Fri afternoons',
    window: { weekdays: [1, 2, 3, 4, 5], from: '12:00', to: '17:00' },
  },
  {
    key: 'evenings',
    label: 'Mon–Fri evenings',
    window: { weekdays: [1, 2, 3, 4, 5], from: '17:00', to: '22:00' },
  },
  { key: 'weekends', label: 'Weekends', window: { weekdays: [6, 7], from: '08:00', to: '22:00' } },
] as const satisfies readonly { key: string; label: string; window: WaitlistWindow }[]

/** Of Monday, 1, to Sunday, 7. */
export const weekdayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** The hours at which a window may begin or end, as the schedules of practitioners go. */
export const windowHours = Array.from({ length: 15 }, (_, at) => `${String(at + 8).padStart(2, '0')}:00`)

/** Windows as they are chosen: chips, and windows of the client's own. */
export type ChosenWindows = { usual: string[]; own: WaitlistWindow[] }

/** Which chips make the windows of an entry, and what is left besides. */
export function chosenFrom(windows: readonly WaitlistWindow[]): ChosenWindows {
  const usual = usualWindows.filter(({ window }) => windows.some((each) => isSame(each, window)))
  return {
    usual: usual.map(({ key }) => key),
    own: windows.filter((each) => !usual.some(({ window }) => isSame(each, window))),
  }
}

/** The windows that chips and own ones make together, each once. */
export function windowsOf({ usual, own }: ChosenWindows): WaitlistWindow[] {
  const all = [
    ...usualWindows
      .filter(({ key }) => usual.includes(key))
      .map(({ window }) => ({ ...window, weekdays: [...window.weekdays] })),
    ...own.map((each) => ({ ...each, weekdays: each.weekdays.toSorted((a, b) => a - b) })),
  ]
  return all.filter((each, at) => all.findIndex((other) => isSame(each, other)) === at)
}

/** What is wrong with a window of the client's own. */
export function faultOf({ weekdays, from, to }: WaitlistWindow): { days?: string; to?: string } | undefined {
  if (weekdays.length === 0) return { days: 'Choose at least one day.' }
  return from >= to ? { to: 'Choose a time after the start.' } : undefined
}

/** 'Mon–Fri mornings', 'Tue and Thu, 09:00 to 12:00'. */
export function windowLabel(window: WaitlistWindow): string {
  const usual = usualWindows.find((each) => isSame(each.window, window))
  return usual?.label ?? `${weekdaysLabel(window.weekdays)}, ${window.from} to ${window.to}`
}

/** 'Mon–Fri mornings, weekends'; other words than the first begin small. */
export function windowsLabel(windows: readonly WaitlistWindow[]): string {
  const { usual, own } = chosenFrom(windows)
  const labels = windowsOf({ usual, own }).map(windowLabel)
  return labels.map((label, at) => (at > 0 ? label.replace(/^Weekends/, 'weekends') : label)).join('; ')
}

/** 'Every day', 'Mon to Fri', 'Tue', 'Tue and Thu', 'Mon, Wed and Fri'. */
export function weekdaysLabel(weekdays: readonly number[]): string {
  const days = weekdays.toSorted((a, b) => a - b)
  const names = days.map((day) => weekdayNames[day - 1] ?? '')
  if (days.length === 7) return 'Every day'
  const [first, last] = [days[0] ?? 0, days.at(-1) ?? 0]
  if (days.length > 2 && last - first === days.length - 1) return `${names[0]} to ${names.at(-1)}`
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function isSame(one: WaitlistWindow, other: WaitlistWindow): boolean {
  return (
    one.from === other.from &&
    one.to === other.to &&
    one.weekdays.length === other.weekdays.length &&
    one.weekdays.every((day) => other.weekdays.includes(day))
  )
}
