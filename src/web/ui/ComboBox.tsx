import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useCombobox } from 'downshift'
import { type Ref, use, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import { classes } from './classes.ts'
import { FieldError, type FieldTexts } from './FieldFrame.tsx'
import { fold } from '../lib/fold.ts'
import { Submitting } from './submitting.ts'

type Option = { value: string; label: string }

type Props = Pick<FieldTexts, 'label' | 'description' | 'error' | 'isLabelHidden'> & {
  options: readonly Option[]
  /** The chosen value; null for none. */
  value: string | null
  onChange(value: string | null): void
  onBlur?(): void
  /** The field that is typed in. */
  ref?: Ref<HTMLInputElement>
  placeholder?: string
  /** What is picked is added elsewhere, and the field is emptied for the next; `value` stays null. */
  isAdding?: boolean
}

/**
 * A long list that is searched by typing, such as languages and time zones. The list stands where it is read, right
 * after its field, and nothing else of the page is hidden while it is open.
 */
export function ComboBox({
  label,
  description,
  error,
  isLabelHidden,
  options,
  value,
  onChange,
  onBlur,
  ref,
  placeholder,
  isAdding = false,
}: Props) {
  const id = useId()
  const isSending = use(Submitting)
  const chosen = options.find((option) => option.value === value) ?? null
  const [typed, setTyped] = useState(chosen?.label ?? '')
  // A field that shows what is chosen offers the whole list again.
  const wanted = typed === chosen?.label ? '' : typed
  const offered = options.filter((option) => fold(option.label).includes(fold(wanted)))

  const list = useCombobox<Option>({
    items: offered,
    itemToString: (option) => option?.label ?? '',
    selectedItem: chosen,
    onSelectedItemChange: ({ selectedItem }) => onChange(selectedItem?.value ?? null),
    inputValue: typed,
    onInputValueChange: ({ inputValue }) => setTyped(inputValue),
    stateReducer(state, { type, changes }) {
      switch (type) {
        // Leaving picks nothing: what was meant is pressed.
        case useCombobox.stateChangeTypes.InputBlur:
          return { ...changes, selectedItem: state.selectedItem, inputValue: chosen?.label ?? '' }
        case useCombobox.stateChangeTypes.ItemClick:
        case useCombobox.stateChangeTypes.InputKeyDownEnter:
          if (isSending) return state
          return isAdding && changes.selectedItem ? { ...changes, inputValue: '' } : changes
        case useCombobox.stateChangeTypes.InputKeyDownEscape:
          return isSending ? { ...state, isOpen: false } : changes
        default:
          return changes
      }
    },
  })

  const field = useRef<HTMLDivElement>(null)
  useImperativeHandle(ref, () => field.current?.querySelector('input') as HTMLInputElement)

  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (list.isOpen) box.current?.scrollIntoView({ block: 'nearest' })
  }, [list.isOpen])

  return (
    <div ref={field} data-invalid={error ? '' : undefined} className="flex flex-col gap-1.5">
      <label {...list.getLabelProps()} className={classes('font-semibold', isLabelHidden && 'sr-only')}>
        {label}
      </label>
      {description && (
        <div id={`${id}-hint`} className="text-sm text-soft">
          {description}
        </div>
      )}
      <div className="relative">
        <input
          {...list.getInputProps({
            onBlur: () => onBlur?.(),
            // At once: told of it after the fact, a quick typist loses letters.
            onChange: (event) => setTyped(event.currentTarget.value),
            onKeyDown: (event) => {
              // Around the field there may be a dialog: the first Escape is for the list alone.
              if (event.key === 'Escape' && list.isOpen) event.stopPropagation()
            },
          })}
          readOnly={isSending}
          className="field pr-11"
          placeholder={placeholder}
          aria-invalid={error ? true : undefined}
          aria-describedby={
            [description && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
          }
        />
        <button
          type="button"
          {...list.getToggleButtonProps()}
          id={`${id}-open`}
          aria-label="Show the list"
          aria-labelledby={`${id}-open ${list.getLabelProps().id}`}
          className="target absolute inset-y-0 right-0 grid place-items-center rounded-md text-soft hover:text-ink"
        >
          <IconChevronDown aria-hidden size={20} />
        </button>
        <div
          ref={box}
          className={classes(
            'absolute inset-x-0 top-full z-20 mt-1 scroll-my-4 rounded-lg border border-line bg-raised p-1 shadow-high',
            list.isOpen ? 'animate-appear' : 'hidden',
          )}
        >
          {/* A list that scrolls would take the focus on Tab, and lose it as it closes. */}
          <ul {...list.getMenuProps()} tabIndex={-1} className="max-h-72 overflow-auto outline-none">
            {list.isOpen &&
              offered.map((option, index) => (
                <li
                  key={option.value}
                  {...list.getItemProps({ item: option, index })}
                  className={classes(
                    'flex min-h-11 cursor-pointer items-center gap-2 rounded-md px-3 py-1.5',
                    index === list.highlightedIndex &&
                      'bg-action-soft text-on-action-soft forced-colors:bg-[Highlight] forced-colors:text-[HighlightText]',
                  )}
                >
                  <span className="grow">{option.label}</span>
                  {option.value === value && <IconCheck aria-hidden size={18} />}
                </li>
              ))}
          </ul>
          <output>
            {list.isOpen && offered.length === 0 && (
              <span className="block px-3 py-2 text-soft">Nothing in the list matches that.</span>
            )}
          </output>
        </div>
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}
