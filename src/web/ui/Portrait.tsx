import { useState } from 'react'
import { classes } from './classes.ts'

/** One picture in the sizes that the server makes; `full` is 1024 pixels. */
export type PortraitImage = { thumb_64?: string | null; thumb_256?: string | null; full?: string | null }

export type PortraitProps = {
  name: string
  /** An address, the sizes of one picture, or nothing: then initials. */
  image?: string | PortraitImage | null
  /** Side in CSS pixels. */
  size?: number
  /** `arch` is for people as the subject of a page, `round` for a line in a list. */
  shape?: 'round' | 'arch'
  /** What a screen reader hears; nothing where the name stands beside it. */
  alt?: string
  /** Not above the fold. */
  isLazy?: boolean
  /** `size` picks the picture alone; the drawn size and shape are in `className`. */
  isSizedByClass?: boolean
  className?: string
}

/** A person's portrait. */
export function Portrait({
  name,
  image,
  size = 64,
  shape = 'round',
  alt = '',
  isLazy,
  isSizedByClass,
  className,
}: PortraitProps) {
  const [isBroken, setBroken] = useState(false)
  const sources = sourcesOf(image)
  const own = shape === 'round' ? 'portrait portrait-round' : 'portrait portrait-arch'
  const look = isSizedByClass ? className : classes(own, className)
  if (!sources || isBroken) {
    return (
      <span
        role={alt ? 'img' : undefined}
        aria-label={alt || undefined}
        aria-hidden={!alt || undefined}
        className={classes(look, 'inline-grid place-items-center font-serif text-ink select-none')}
        style={{ width: size, height: size, fontSize: size * 0.36 }}
      >
        <span aria-hidden>{initials(name)}</span>
      </span>
    )
  }
  return (
    <img
      {...sources}
      sizes={sources.srcSet ? `${size}px` : undefined}
      alt={alt}
      width={size}
      height={size}
      loading={isLazy ? 'lazy' : undefined}
      decoding="async"
      onError={() => setBroken(true)}
      className={look}
      style={isSizedByClass ? undefined : { width: size, height: size }}
    />
  )
}

function sourcesOf(image: PortraitProps['image']): { src: string; srcSet?: string } | undefined {
  if (!image) return undefined
  if (typeof image === 'string') return { src: image }
  const known = [
    [image.thumb_64, 64],
    [image.thumb_256, 256],
    [image.full, 1024],
  ].filter((entry): entry is [string, number] => Boolean(entry[0]))
  const src = image.thumb_256 ?? known.at(-1)?.[0]
  return src ? { src, srcSet: known.map(([address, width]) => `${address} ${width}w`).join(', ') } : undefined
}

const firstLetter = /^./u

/** First letters of the first and the last word; titles such as Dr are left out. */
function initials(name: string): string {
  const words = name
    .replace(/^(dr|prof|mr|mrs|ms|miss|mx)\.?\s+/i, '')
    .split(/\s+/)
    .filter(Boolean)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => firstLetter.exec(word ?? '')?.[0].toUpperCase() ?? '')
    .join('')
}
