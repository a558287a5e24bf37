import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useNavigate, useNavigation } from 'react-router'
import { announce } from '#web/lib/announce.ts'
import { callApi } from '#web/lib/api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { useIsLeaving } from '#web/lib/use-is-leaving.ts'
import { Button } from '#web/ui/Button.tsx'
import { FieldFrame } from '#web/ui/FieldFrame.tsx'
import { noFilters, resultsPath, resultsPathname, type SearchFilters } from '../filters.ts'
import { HelpNow } from '../guided-search/HelpNow.tsx'
import { forgetWords, keepNextReading, useForgottenOnLeaving, useKeptReading } from './kept-reading.ts'
import { withSentence } from './with-sentence.ts'

/** As the contract has it. */
const maxLength = 300

/**
 * A sentence that becomes filters. It is sent in the body of a request and is in no address, history or storage. Without
 * scripts the form is sent to the results, whose server redirects to its filters.
 *
 * Whom to call first stands below it as soon as a sentence hints at danger: it waits for no results and no further script.
 * @param filters above results: those of the search under way, else of the address
 */
export function SentenceBox({ filters: shown }: { filters?: SearchFilters }) {
  const filters = shown ?? noFilters
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const [isReading, setReading] = useState(false)
  const isFinding = useNavigation().state !== 'idle'
  const isLeaving = useIsLeaving(resultsPathname)
  const [error, setError] = useState<string>()
  const isInDanger = useKeptReading()?.safety === true
  useForgottenOnLeaving()
  /** A filter may be changed while a sentence is read. */
  const present = useRef(filters)
  useEffect(() => {
    present.current = filters
  }, [filters])

  async function read(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const input = field.current
    const q = input?.value.trim() ?? ''
    if (!input || isReading) return
    if (q === '') {
      // Sent twice, most likely.
      if (isFinding) return
      setError('Tell us what you are looking for.')
      forgetWords()
      return input.focus()
    }
    setReading(true)
    setError(undefined)
    try {
      const {
        filters: wanted,
        used,
        unused,
        ask,
        safety,
      } = await callApi('POST /search/parse', { body: { q } })
      // The page was left meanwhile.
      if (!field.current) return
      keepNextReading({ unused, ask, safety })
      if (isLeaving()) return setReading(false)
      if (input.value.trim() === q) input.value = ''
      announce(setInWords(used.length))
      // Another sentence may be sent while the results of this one load.
      setReading(false)
      // Results that are shown already change in place.
      const preventScrollReset = shown !== undefined
      await navigate(resultsPath(withSentence(present.current, wanted)), { preventScrollReset })
    } catch (failure) {
      setReading(false)
      setError(messageOf(failure))
    }
  }

  return (
    <>
      <form
        action={resultsPath(filters)}
        method="post"
        className="max-w-2xl"
        onSubmit={(event) => void read(event)}
      >
        <FieldFrame
          label="Say it in a sentence"
          description="Such as: a woman for panic attacks in Leeds, under £80. We do not keep what you write."
          {...(error !== undefined && { error })}
        >
          {(attributes) => (
            <div className="flex flex-wrap gap-3">
              <div className="min-w-0 grow basis-72">
                <input
                  ref={field}
                  type="text"
                  name="q"
                  maxLength={maxLength}
                  autoComplete="off"
                  enterKeyHint="search"
                  {...attributes}
                  className="field"
                />
              </div>
              <Button type="submit" variant="secondary" isPending={isReading}>
                Find matches
              </Button>
            </div>
          )}
        </FieldFrame>
      </form>
      {isInDanger && <HelpInView />}
    </>
  )
}

/** Whom to call first. On a phone, the sentence is written at the end of what is in view. */
function HelpInView() {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={place} className="max-w-2xl scroll-mb-4 pt-4">
      <HelpNow live="assertive" onwards="You can go on with your search whenever you like." />
    </div>
  )
}

/** What a screen reader hears. */
function setInWords(count: number): string {
  if (count === 0) return 'We found no filter in that. Your filters stay as they were.'
  return count === 1 ? '1 filter set.' : `${count} filters set.`
}
