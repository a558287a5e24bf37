import { useState } from 'react'
import { onAnotherPerson } from './session.ts'

const texts = new Map<string, string>()
onAnotherPerson(() => texts.clear())

/** A text that is there again when its dialog is closed and opened anew, until the page goes or the account changes. */
export function useKeptText(name: string): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => texts.get(name) ?? '')
  return [
    text,
    (changed) => {
      texts.set(name, changed)
      setText(changed)
    },
  ]
}
