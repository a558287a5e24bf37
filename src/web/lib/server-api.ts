import { data, type RouterContextProvider } from 'react-router'
import type { AnswerOf } from '#contract/endpoints.ts'
import { type ApiError, errorOfAnswer } from './api-error.ts'
import { type GetKey, type InputArguments, type QueryValue, queryTexts } from './endpoint-types.ts'
import { readPageContext } from './server-context.ts'

type Options = { signal?: AbortSignal }

/**
 * The API for loaders on the server: in-process, as an anonymous reader, typed like `callApi`:
 * `serverApi(context)('GET /practitioner/{id}/profile', { params: { id } })`.
 * A failure is thrown as an answer with the same status, which the error page shows: 404 becomes "This page is not here".
 */
export function serverApi(context: Readonly<RouterContextProvider>) {
  const attempt = attemptServerApi(context)
  return async <K extends GetKey>(key: K, ...input: InputArguments<K, Options>): Promise<AnswerOf<K>> => {
    const outcome = await attempt(key, ...input)
    if ('answer' in outcome) return outcome.answer
    const { status, code, message } = outcome.error
    // oxlint-disable-next-line typescript/only-throw-error -- React Router carries a status to the error boundary this way
    throw data({ code, message }, { status })
  }
}

/** The same for loaders that have something to show when the call fails. */
export function attemptServerApi(context: Readonly<RouterContextProvider>) {
  const { api } = readPageContext(context)
  return async <K extends GetKey>(
    key: K,
    ...[input]: InputArguments<K, Options>
  ): Promise<{ answer: AnswerOf<K> } | { error: ApiError }> => {
    const { params, query, signal } = (input ?? {}) as Options & {
      params?: Record<string, string | number>
      query?: Record<string, QueryValue>
    }
    const { status, body } = await api(key, { params: queryTexts(params), query: queryTexts(query), signal })
    if (status < 200 || status > 299) return { error: errorOfAnswer(status, body) }
    return { answer: body as AnswerOf<K> }
  }
}
