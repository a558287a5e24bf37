import { useState } from 'react'
import { Button } from '#web/ui/Button.tsx'

/** Copies a text, and says so beside the button. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        variant="secondary"
        size="small"
        onPress={() =>
          void navigator.clipboard.writeText(text).then(
            () => setCopied(true),
            () => setCopied(false),
          )
        }
      >
        {children}
      </Button>
      <span aria-live="polite" className="text-sm text-soft">
        {isCopied && 'Copied.'}
      </span>
    </div>
  )
}
