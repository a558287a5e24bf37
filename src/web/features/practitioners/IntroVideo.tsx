import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { useHydrated } from '#web/lib/hydrated.ts'
import { Portrait, type PortraitImage } from '#web/ui/Portrait.tsx'

export type IntroVideoProps = { videoId: string; name: string; image: PortraitImage }

const frame =
  'relative grid aspect-video w-full place-items-center overflow-hidden rounded-lg border border-line bg-sunken'

/** The press that put the player there was on a button that is gone. */
function takeFocus(element: HTMLElement | null): void {
  element?.focus()
}

/** The practitioner's introduction video. Nothing is fetched from the video host before the visitor presses play. */
export function IntroVideo({ videoId, name, image }: IntroVideoProps) {
  const isHydrated = useHydrated()
  const [isPlaying, setPlaying] = useState(false)
  if (isPlaying) {
    return (
      <iframe
        ref={takeFocus}
        title={`Introduction by ${name}`}
        src={`https://www.youtube-nocookie.com/embed/${videoId}?autoplay=1&rel=0`}
        // oxlint-disable-next-line react/iframe-missing-sandbox -- the player needs its own origin, which is not ours
        sandbox="allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox"
        allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
        // The player refuses to start for a page that does not say where it is; the path stays ours.
        referrerPolicy="strict-origin"
        className={frame}
      />
    )
  }
  const face = (
    <>
      <Portrait name={name} image={image} size={120} shape="arch" isLazy className="mb-8 opacity-90" />
      <span className="absolute inset-x-4 bottom-4 flex flex-wrap items-center justify-center gap-x-3 gap-y-1">
        <span className="tappable gap-2 rounded-full bg-action px-5 font-semibold text-on-action">
          <IconPlayerPlayFilled aria-hidden size={18} />
          Play the introduction
        </span>
      </span>
    </>
  )
  return (
    <div>
      {isHydrated ? (
        <button type="button" onClick={() => setPlaying(true)} className={`${frame} hover:border-edge`}>
          {face}
        </button>
      ) : (
        <a
          href={`https://www.youtube.com/watch?v=${videoId}`}
          rel="noreferrer"
          className={`${frame} no-underline`}
        >
          {face}
        </a>
      )}
      <p className="mt-2 text-xs text-soft">Plays from YouTube, which will know that you watched it.</p>
    </div>
  )
}
