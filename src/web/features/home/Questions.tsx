import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { Disclosure } from '#web/ui/Disclosure.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { textOf } from './text-of.ts'
import { fold } from '#web/lib/fold.ts'

export type Question = { id: string; question: string; answer: ReactNode }
export type Topic = { title: string; questions: readonly Question[] }

/**
 * Questions by topic, with a search in them. What is searched for may say something about the reader, so it stays in
 * the page: no address, no call.
 */
export function Questions({ topics }: { topics: readonly Topic[] }) {
  const [wanted, setWanted] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // Typed before the page was alive.
  useEffect(() => setWanted(field.current?.value ?? ''), [])
  useOpenTarget()

  const words = fold(wanted).split(' ').filter(Boolean)
  const found = topics
    .map((topic) => ({
      ...topic,
      questions: topic.questions.filter(({ question, answer }) => {
        const text = fold(`${question} ${textOf(answer)}`)
        return words.every((word) => text.includes(word))
      }),
    }))
    .filter((topic) => topic.questions.length > 0)
  const count = found.reduce((sum, topic) => sum + topic.questions.length, 0)
  return (
    <div className="flex flex-col gap-10">
      <search className="noscript:hidden">
        <TextField
          ref={field}
          type="search"
          label="Search the questions"
          autoComplete="off"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
        <output className="mt-2 block min-h-6 text-sm text-soft">
          {words.length > 0 &&
            (count === 0
              ? 'Nothing matches that. Try another word, or write to us below.'
              : `${count} ${count === 1 ? 'answer' : 'answers'}`)}
        </output>
      </search>
      {found.map((topic) => (
        <section key={topic.title} aria-labelledby={slug(topic.title)}>
          <h2 id={slug(topic.title)} className="mb-2 text-2xl">
            {topic.title}
          </h2>
          {topic.questions.map(({ id, question, answer }) => (
            <Disclosure key={id} id={id} title={question} level={3}>
              {answer}
              <p className="mt-3 text-sm print:hidden">
                <a
                  href={`#${id}`}
                  aria-label={`Link to this answer: ${question}`}
                  className="tappable-small text-soft underline"
                >
                  Link to this answer
                </a>
              </p>
            </Disclosure>
          ))}
        </section>
      ))}
    </div>
  )
}

/** Opens the answer that the address points to. */
function useOpenTarget(): void {
  const { hash } = useLocation()
  useEffect(() => {
    if (!hash) return
    const target = document.getElementById(hash.slice(1))
    if (!(target instanceof HTMLDetailsElement)) return
    target.open = true
    target.scrollIntoView()
  }, [hash])
}

function slug(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z]+/g, '-')
}
