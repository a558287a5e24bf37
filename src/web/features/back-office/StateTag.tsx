import { classes } from '#web/ui/classes.ts'

const looks = {
  good: 'bg-action-soft text-on-action-soft',
  waiting: 'bg-warning-soft text-warning',
  bad: 'bg-danger-soft text-danger',
  plain: 'bg-sunken text-soft',
}

/** How something stands, in a word. */
export function StateTag({ tone, children }: { tone: keyof typeof looks; children: string }) {
  return (
    <span
      className={classes(
        'inline-block rounded-full border border-transparent px-3 py-0.5 text-xs whitespace-nowrap',
        looks[tone],
      )}
    >
      {children}
    </span>
  )
}

/** The tone of a state of a profile or a fact. */
export function toneOf(state: string): keyof typeof looks {
  if (state === 'approved' || state === 'accepted') return 'good'
  if (state === 'submitted' || state === 'waiting') return 'waiting'
  return state === 'rejected' || state === 'refused' || state === 'suspended' ? 'bad' : 'plain'
}
