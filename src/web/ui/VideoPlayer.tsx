import type { ComponentProps } from 'react'
import { Disclosure } from './Disclosure.tsx'

export type VideoPlayerProps = Pick<ComponentProps<'video'>, 'src' | 'ref' | 'className' | 'onError'> & {
  /** What a screen reader hears: 'Introduction by Priya Patel'. */
  name: string
  /** Path of a WebVTT file; without one there is no track to choose. */
  captions?: string | null
}

/** A video with the browser's own controls, and its captions where there are any. */
export function VideoPlayer({ name, captions, className, ...video }: VideoPlayerProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- an empty track would promise captions
    <video {...video} controls preload="metadata" aria-label={name} className={className}>
      {captions && <track kind="captions" src={captions} srcLang="en" label="English" default />}
    </video>
  )
}

/** What is said in a video, to be read. */
export function Transcript({ text }: { text: string }) {
  return (
    <Disclosure title="Read what is said">
      <p className="whitespace-pre-line">{text}</p>
    </Disclosure>
  )
}
