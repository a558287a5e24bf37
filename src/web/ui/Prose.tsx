import type { ReactNode } from 'react'

/** Text to be read at length: measure, rhythm and links for plain elements. */
export function Prose({ children }: { children: ReactNode }) {
  return (
    <div className="measure [&_a]:text-action [&_a]:underline [&_a]:underline-offset-[0.2em] [&_h2]:mt-10 [&_h2]:mb-3 [&_h2]:text-2xl [&_h3]:mt-6 [&_h3]:mb-2 [&_h3]:text-xl [&_li]:mt-1.5 [&_p]:mt-3 [&_ul]:mt-3 [&_ul]:list-disc [&_ul]:pl-6 marker:[&_ul]:text-ember">
      {children}
    </div>
  )
}
