import { type ReactNode, useEffect, useRef } from 'react'
import { getHelpPath } from '#web/lib/site.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { EmergencyStrip } from './EmergencyNumbers.tsx'

type Props = {
  /** Names what is on the screen; when it changes, the focus goes to its heading, which a screen reader then reads. */
  step: string
  title: string
  lead?: ReactNode
  /** The last breadcrumb; on the first step there are none. */
  here?: string
  /** Where the numbers are: at the foot, above what is long, or nowhere because they stand large on this step already. */
  numbers?: 'below' | 'above' | 'own'
  children?: ReactNode
}

/** A step that is not known yet: what follows it is the first. */
export const loadingStep = 'loading'

/** What was on the screen last. Steps are drawn by several pages, so none of them could keep it. */
let shownStep: string | undefined

/** One step of the way to help: where one is, its heading, and the emergency numbers at the foot. */
export function HelpFrame({ step, title, lead, here, numbers = 'below', children }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  useTitle(tabTitle(step, title, here))
  useEffect(() => {
    const isFirst = shownStep === undefined
    if (step === loadingStep || shownStep === step) return
    shownStep = step
    if (isFirst) return
    const heading = frame.current?.querySelector<HTMLElement>('h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [step])
  return (
    <div className="page">
      <div ref={frame} className="mx-auto flex max-w-2xl flex-col">
        <PageHeading
          title={title}
          lead={lead}
          above={
            here && (
              <Breadcrumbs
                items={[
                  { label: 'Home', to: '/' },
                  { label: 'Get help right now', to: getHelpPath },
                  { label: here },
                ]}
              />
            )
          }
        />
        <div className="flex flex-col gap-6">
          {numbers === 'above' && <EmergencyStrip />}
          {children}
          {numbers === 'below' && <EmergencyStrip />}
        </div>
      </div>
    </div>
  )
}

const helpTitle = 'Get help right now'

/** The title in the tab. The question about danger and what follows a yes have one: a browser keeps titles in its history. */
function tabTitle(step: string, title: string, here: string | undefined): string | undefined {
  if (step === loadingStep) return undefined
  if (numbersFirst.includes(step)) return helpTitle
  const own = title === helpTitle ? here : title
  return own ? `${own} – ${helpTitle}` : helpTitle
}

const numbersFirst = ['safety', 'danger']
