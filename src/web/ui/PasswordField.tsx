import { use, useState } from 'react'
import { framed, FieldFrame } from './FieldFrame.tsx'
import { Submitting } from './submitting.ts'
import type { TextFieldProps } from './TextField.tsx'

export type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'prefix'> & {
  autoComplete: 'current-password' | 'new-password'
}

/** A password that can be shown while it is typed. */
export function PasswordField(props: PasswordFieldProps) {
  const [frame, input] = framed(props)
  const isSending = use(Submitting)
  const [isShown, setShown] = useState(false)
  return (
    <FieldFrame {...frame}>
      {(attributes) => (
        <div className="relative">
          <input
            readOnly={isSending}
            spellCheck={false}
            autoCapitalize="none"
            {...input}
            {...attributes}
            type={isShown ? 'text' : 'password'}
            className="field pr-20"
          />
          <button
            type="button"
            aria-pressed={isShown}
            aria-label="Show password"
            onClick={() => setShown(!isShown)}
            className="target absolute inset-y-0 right-0 rounded-md px-4 text-sm font-semibold text-action hover:text-action-strong hover:underline"
          >
            {isShown ? 'Hide' : 'Show'}
          </button>
        </div>
      )}
    </FieldFrame>
  )
}
