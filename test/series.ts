import type { Series } from '#contract/series/series.ts'
import type { Answer, TestApp } from './build-test-app.ts'
import type { Client } from './factories.ts'

/** The series in an answer. @throws Error if the call was refused */
export function seriesIn(answer: Answer): Series {
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return (answer.body as unknown as { data: Series }).data
}

type Who = { client: Pick<Client, 'token'>; card: string; session: string }

/** A series at a session's hour, or another one, that the client has agreed to over HTTP. */
export async function agreeSeries(
  app: Pick<TestApp, 'call'>,
  { client: { token }, card, session }: Who,
  body: object = {},
): Promise<Series> {
  const post = (path: string, sent: object) => app.call('POST', path, { token, body: sent })
  const proposed = seriesIn(await post('/series', { appointment_id: session, ...body }))
  return seriesIn(
    await post(`/series/${proposed.series_id}/agree`, {
      customer_id: card,
      terms_version: proposed.terms?.version,
    }),
  )
}
