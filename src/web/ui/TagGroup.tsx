import { IconX } from '@tabler/icons-react'
import { use } from 'react'
import { Button } from 'react-aria-components/Button'
import { Label } from 'react-aria-components/Label'
import { Tag, TagGroup as AriaTagGroup, TagList } from 'react-aria-components/TagGroup'
import { BritishEnglish } from './BritishEnglish.tsx'
import { classes } from './classes.ts'
import { Submitting } from './submitting.ts'

export type TagGroupProps = {
  label: string
  isLabelHidden?: boolean
  tags: readonly { id: string; label: string }[]
  /** Shows a cross on each when given; Delete and Backspace remove as well. */
  onRemove?(id: string): void
  /** Layout only. */
  className?: string
}

/** Words that belong to something, such as active filters. For choosing there is `ChipGroup`; without a cross, `Tags`. */
export function TagGroup({ label, isLabelHidden, tags, onRemove, className }: TagGroupProps) {
  const isSending = use(Submitting)
  return (
    <BritishEnglish>
      <AriaTagGroup
        className={classes('flex flex-col gap-1.5', className)}
        onRemove={onRemove && ((keys) => !isSending && keys.forEach((key) => onRemove(String(key))))}
      >
        <Label className={classes('font-semibold', isLabelHidden && 'sr-only')}>{label}</Label>
        <TagList items={tags} className="flex flex-wrap gap-2">
          {(tag) => (
            <Tag
              id={tag.id}
              textValue={tag.label}
              className="tappable-small gap-0.5 rounded-full border border-line bg-action-soft pl-3.5 text-sm text-on-action-soft data-focus-visible:outline-3"
            >
              {({ allowsRemoving }) => (
                <>
                  <span className={allowsRemoving ? undefined : 'pr-3.5'}>{tag.label}</span>
                  {allowsRemoving && (
                    <Button
                      slot="remove"
                      className="grid size-9 place-items-center rounded-full hover:text-ink"
                    >
                      <IconX aria-hidden size={16} />
                    </Button>
                  )}
                </>
              )}
            </Tag>
          )}
        </TagList>
      </AriaTagGroup>
    </BritishEnglish>
  )
}
