import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useContext, useEffect, useEffectEvent, useId, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { ComboBox as AriaComboBox, ComboBoxStateContext, Input } from 'react-aria-components/ComboBox'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { classes } from './classes.ts'
import { FieldError, type FieldTexts } from './FieldFrame.tsx'

export type ComboBoxProps = FieldTexts & {
  options: readonly { value: string; label: string }[]
  /** The chosen value; null for none. */
  value: string | null
  onChange(value: string | null): void
  onBlur?(): void
  placeholder?: string
  /** What is picked is added elsewhere, and the field is emptied for the next; `value` stays null. */
  isAdding?: boolean
  /** Sends the value with a plain form. */
  name?: string
}

/** A long list that is searched by typing, such as languages and time zones. */
export function ComboBox({
  label,
  description,
  error,
  isOptional,
  isLabelHidden,
  className,
  options,
  value,
  onChange,
  onBlur,
  placeholder,
  isAdding,
  name,
}: ComboBoxProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [picks, setPicks] = useState(0)
  return (
    <AriaComboBox
      selectedKey={value}
      onSelectionChange={(key) => {
        onChange(key === null ? null : String(key))
        setTyped('')
        if (key !== null) setPicks(picks + 1)
      }}
      {...(isAdding && { inputValue: typed, onInputChange: setTyped })}
      onBlur={() => {
        setTyped('')
        onBlur?.()
      }}
      name={name}
      formValue="key"
      isInvalid={Boolean(error)}
      menuTrigger="focus"
      className={classes('flex flex-col gap-1.5', className)}
    >
      {isAdding && <CloseAfterPick picks={picks} />}
      <Label className={classes('font-semibold', isLabelHidden && 'sr-only')}>
        {label}
        {isOptional && <span className="font-normal text-soft"> (optional)</span>}
      </Label>
      {description && (
        <div id={`${id}-hint`} className="text-sm text-soft">
          {description}
        </div>
      )}
      <div className="relative">
        <Input
          className="field pr-11"
          placeholder={placeholder}
          aria-describedby={
            [description && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
          }
        />
        <Button className="target absolute inset-y-0 right-0 grid place-items-center rounded-md text-soft hover:text-ink">
          <IconChevronDown aria-hidden size={20} />
        </Button>
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <Popover className="w-(--trigger-width) rounded-lg border border-line bg-raised p-1 shadow-high data-entering:animate-appear">
        <ListBox
          items={options.map((option) => ({ id: option.value, label: option.label }))}
          className="max-h-72 overflow-auto outline-none"
          renderEmptyState={() => <p className="px-3 py-2 text-soft">Nothing in the list matches that.</p>}
        >
          {(option) => (
            <ListBoxItem
              id={option.id}
              textValue={option.label}
              className="group flex min-h-11 cursor-pointer items-center gap-2 rounded-md px-3 py-1.5 outline-none data-focused:bg-action-soft data-focused:text-on-action-soft forced-colors:data-focused:bg-[Highlight]"
            >
              <span className="grow">{option.label}</span>
              <IconCheck aria-hidden size={18} className="hidden group-data-selected:block" />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  )
}

/** The list closes by itself when the value changes; where that stays null, it is told to. */
function CloseAfterPick({ picks }: { picks: number }) {
  const state = useContext(ComboBoxStateContext)
  const close = useEffectEvent(() => state?.close())
  useEffect(() => {
    if (picks > 0) close()
  }, [picks])
  return null
}
