import { useState } from 'react'
import { copyText } from '#web/lib/copy-text.ts'
import { Button } from '#web/ui/Button.tsx'

/** Copies a text, and says beside the button whether it did. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  const [isCopied, setCopied] = useState<boolean>()
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button variant="secondary" size="small" onPress={() => void copyText(text).then(setCopied)}>
        {children}
      </Button>
      <span aria-live="polite" className="text-sm text-soft">
        {isCopied === true && 'Copied.'}
        {isCopied === false && 'Your browser did not allow copying. You can select the text instead.'}
      </span>
    </div>
  )
}
