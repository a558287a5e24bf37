import { Link, type To } from 'react-router'
import { classes } from '#web/ui/classes.ts'

/** A choice of lists, each at an address of its own. */
export function ChoiceLinks({
  label,
  choices,
}: {
  label: string
  choices: readonly { label: string; to: To; isChosen: boolean }[]
}) {
  return (
    <nav aria-label={label}>
      <ul className="flex flex-wrap gap-2">
        {choices.map((choice) => (
          <li key={choice.label}>
            <Link
              to={choice.to}
              aria-current={choice.isChosen ? 'page' : undefined}
              className={classes(
                'tappable rounded-full border px-4 no-underline',
                choice.isChosen
                  ? 'border-action bg-action font-semibold text-on-action'
                  : 'border-edge bg-surface text-ink hover:border-ink',
              )}
            >
              {choice.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
