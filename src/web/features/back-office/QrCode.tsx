import { useEffect, useState } from 'react'
import { Skeleton } from '#web/ui/Skeleton.tsx'

type QrCodeProps = {
  text: string
  label: string
  /** What to do without it, where its program does not load. */
  otherwise: string
}

/** A text as a QR code, dark on white in either theme, since cameras want it so. */
export function QrCode({ text, label, otherwise }: QrCodeProps) {
  const [drawn, setDrawn] = useState<{ size: number; path: string } | 'not loaded'>()
  useEffect(() => {
    let isGone = false
    const draw = async () => {
      const { encode } = await import('uqr')
      if (isGone) return
      const { data, size } = encode(text, { border: 2 })
      const path = data
        .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
        .join('')
      setDrawn({ size, path })
    }
    draw().catch(() => setDrawn('not loaded'))
    return () => {
      isGone = true
    }
  }, [text])
  if (!drawn) return <Skeleton className="size-52" />
  if (drawn === 'not loaded') return <p className="max-w-52 text-soft">{otherwise}</p>
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${drawn.size} ${drawn.size}`}
      shapeRendering="crispEdges"
      // Whole pixels to a module, so that none is thinner than its neighbours.
      width={drawn.size * 5}
      height={drawn.size * 5}
      className="max-w-full rounded-md border border-line"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={drawn.path} fill="#000" />
    </svg>
  )
}
