import type { FastifyInstance } from 'fastify'
import { dialled, emergencyNumbers } from '#contract/emergency.ts'
import { filterOrder, leftWordsId, parametersOf } from '#contract/search-filters.ts'
import { type SentenceFilters, SentenceRequest } from '#contract/search-sentence.ts'
import { addressOf } from '../../../http/address.ts'
import { sourceOf } from '../../../http/page-body.ts'
import type { SlidingLimit } from '../../../http/sliding-limit.ts'
import { escapeMarkup } from '../../../markup.ts'
import type { Sentences } from './sentence.service.ts'

/** Longer than any sentence that is read, also where each sign is escaped. */
const longestForm = 8 * 1024
const resultsPath = '/found-therapists'

/**
 * The sentence box of a page without scripts. Redirects to the results of its filters, so that no word of the sentence is
 * in an address; a sentence of danger is answered by the emergency numbers.
 */
export async function serveSentenceForm(
  app: FastifyInstance,
  { sentences, perAddress }: { sentences: Sentences; perAddress: SlidingLimit },
): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: longestForm },
    (_request, body, done) => done(null, new URLSearchParams(body.toString())),
  )
  app.addContentTypeParser('*', (_request, body, done) => {
    body.resume()
    done(null)
  })

  app.post(resultsPath, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const { searchParams: query } = new URL(request.url, 'http://hearth.invalid')
    const form = request.body instanceof URLSearchParams ? request.body : undefined
    const sentence = SentenceRequest.safeParse({ q: form?.get('q') ?? '' })
    if (!sentence.success) return reply.redirect(withQuery(query), 303)
    perAddress.use(addressOf(request))
    const { filters, unused, ask, safety } = await sentences.read(sentence.data.q)
    const results = withQuery(withFilters(query, filters))
    if (!safety) return reply.redirect(unused.length > 0 || ask ? `${results}#${leftWordsId}` : results, 303)
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .send(dangerPage(results))
  })
}

/** The query of a search with some filters in the place of its own. */
function withFilters(query: URLSearchParams, filters: SentenceFilters): URLSearchParams {
  const changed = new URLSearchParams(query)
  changed.delete('page')
  const values: Readonly<Record<string, SentenceFilters[keyof SentenceFilters]>> = filters
  for (const name of filterOrder.address) {
    const parameters = parametersOf(name)
    if (parameters.every((parameter) => values[parameter] === undefined)) continue
    for (const parameter of parameters) {
      changed.delete(parameter)
      const value = values[parameter]
      if (value !== undefined) changed.set(parameter, Array.isArray(value) ? value.join(',') : String(value))
    }
  }
  return changed
}

const withQuery = (query: URLSearchParams) =>
  query.size > 0 ? `${resultsPath}?${query.toString()}` : resultsPath

const style = `
:root { color-scheme: light dark; --paper: light-dark(#faf5ec, #161b19); --ink: light-dark(#23201b, #f3ede2);
  --surface: light-dark(#ffffff, #1f2623); --line: light-dark(#8a8173, #8b938c); }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { max-width: 36rem; margin: 0 auto; padding: 2rem 1.25rem; }
h1 { font: 480 2rem/1.2 Georgia, serif; margin: 1rem 0 0.5rem; }
ul { list-style: none; padding: 0; }
li a { display: block; margin: 0.75rem 0; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.75rem;
  background: var(--surface); text-decoration: none; }
a { color: inherit; }
strong { display: block; font-size: 1.25rem; }
p a { display: inline-block; padding: 0.6rem 0; }`
const policy = `default-src 'none'; style-src ${sourceOf(style)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

function dangerPage(results: string): string {
  const numbers = emergencyNumbers.map(
    ({ number, words }) =>
      `<li><a href="${dialled(number)}"><strong>${number}</strong> ${escapeMarkup(words)}</a></li>`,
  )
  return `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>You do not have to face this alone – Hearth</title><style>${style}</style></head>
<body><main><h1>You do not have to face this alone</h1>
<p>Hearth is not for emergencies. These people can help right now, day and night:</p>
<ul>${numbers.join('')}</ul>
<p>What you wrote is not kept. <a href="${escapeMarkup(results)}">See practitioners</a></p></main></body></html>`
}
