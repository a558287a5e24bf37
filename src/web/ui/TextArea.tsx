import { type ComponentProps, use } from 'react'
import { framed, FieldFrame, type FieldTexts } from './FieldFrame.tsx'
import { Submitting } from './submitting.ts'

export type TextAreaProps = FieldTexts & Omit<ComponentProps<'textarea'>, 'className' | 'style'>

/** Several lines of text; grows with what is written where the browser can. */
export function TextArea(props: TextAreaProps) {
  const [frame, input] = framed(props)
  const isSending = use(Submitting)
  return (
    <FieldFrame {...frame}>
      {(attributes) => (
        <textarea
          rows={4}
          readOnly={isSending}
          {...input}
          {...attributes}
          className="field field-sizing-content max-h-128 min-h-24 resize-y"
        />
      )}
    </FieldFrame>
  )
}
