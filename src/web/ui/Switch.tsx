import { type ComponentProps, type ReactNode, useId } from 'react'

export type SwitchProps = Omit<
  ComponentProps<'input'>,
  'type' | 'role' | 'checked' | 'className' | 'style' | 'children'
> & {
  isOn: boolean
  children: ReactNode
  description?: ReactNode
}

/** Something that is on or off, at once. For a tick in a form there is `Checkbox`. */
export function Switch({ isOn, children, description, ...input }: SwitchProps) {
  const id = useId()
  return (
    <label className="flex min-h-11 flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <span className="min-w-0 grow basis-40">
        <span id={`${id}-name`} className="font-semibold">
          {children}
        </span>
        {description && (
          <span id={`${id}-hint`} className="block text-sm text-soft">
            {description}
          </span>
        )}
      </span>
      <span className="relative mt-0.5 inline-flex shrink-0">
        <input
          {...input}
          type="checkbox"
          role="switch"
          checked={isOn}
          aria-checked={isOn}
          aria-labelledby={`${id}-name`}
          aria-describedby={description ? `${id}-hint` : undefined}
          className="peer h-8 w-14 appearance-none rounded-full border-[1.5px] border-edge bg-sunken transition-colors checked:border-action checked:bg-action hover:border-ink disabled:opacity-50 forced-colors:appearance-auto"
        />
        <span
          aria-hidden
          className="pointer-events-none absolute top-1 left-1 size-6 rounded-full bg-edge transition-transform peer-checked:translate-x-6 peer-checked:bg-on-action forced-colors:hidden"
        />
      </span>
    </label>
  )
}
