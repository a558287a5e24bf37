import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

export type Tab<Value extends string> = {
  value: Value
  label: ReactNode
  /** Read in place of the label. */
  name: string
}

type Props<Value extends string> = {
  label: string
  tabs: readonly Tab<Value>[]
  value: Value
  onChange(value: Value): void
  /** What belongs to the chosen tab. */
  children: ReactNode
}

/** Parts of one thing, of which one is shown. Arrows, Home and End move between the tabs, as everywhere. */
export function Tabs<Value extends string>({ label, tabs, value, onChange, children }: Props<Value>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const at = tabs.findIndex((tab) => tab.value === value)

  function move(event: KeyboardEvent): void {
    const last = tabs.length - 1
    const moves: Record<string, number> = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }
    const target = moves[event.key]
    const tab = target === undefined ? undefined : tabs[target]
    if (!tab) return
    event.preventDefault()
    onChange(tab.value)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[target ?? 0]?.focus()
  }

  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={move}
        className="grid grid-cols-[repeat(auto-fit,minmax(1.875rem,1fr))] gap-1 rounded-lg border border-edge bg-sunken p-1"
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            className="flex min-h-12 min-w-0 flex-col items-center justify-center rounded-md border border-transparent py-1 text-sm leading-tight font-semibold text-soft transition-colors hover:text-ink aria-selected:border-action aria-selected:bg-raised aria-selected:text-action aria-selected:shadow-low aria-selected:chosen-outline"
          >
            <span aria-hidden className="contents">
              {tab.label}
            </span>
            <span className="sr-only">{tab.name}</span>
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  )
}
