import { IconShare2 } from '@tabler/icons-react'
import { copyText } from '#web/lib/copy-text.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { Button } from '#web/ui/Button.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { profilePath } from '#web/lib/profile-path.ts'

/** Shares the link of a profile by the device's own sheet, or copies it. Not seen before the page is alive. */
export function ShareProfile({ practitionerId, name }: { practitionerId: number; name: string }) {
  const isAlive = useHydrated()
  return (
    <Button
      variant="quiet"
      className={isAlive ? undefined : 'invisible'}
      onPress={() => void share({ title: name, url: location.origin + profilePath(practitionerId) })}
    >
      <IconShare2 aria-hidden size={20} />
      Share<span className="sr-only"> the profile of {name}</span>
    </Button>
  )
}

async function share(link: { title: string; url: string }): Promise<void> {
  if ('share' in navigator) {
    try {
      return await navigator.share(link)
    } catch (error) {
      // Closed without a choice.
      if (error instanceof DOMException && error.name === 'AbortError') return
    }
  }
  if (await copyText(link.url)) showToast('Link copied.')
  else showToast(`The link could not be copied. It is ${link.url}`, 'info')
}
