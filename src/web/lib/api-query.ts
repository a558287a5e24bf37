import type { DataTag, QueryKey, UnusedSkipTokenOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#contract/endpoints.ts'
import { type CallOptions, callApi } from './api.ts'
import type { GetKey, InputArguments, QueryValue } from './endpoint-types.ts'

type Options<K extends GetKey> = UnusedSkipTokenOptions<AnswerOf<K>>
type ApiQuery<K extends GetKey> = Options<K> & { queryKey: DataTag<QueryKey, AnswerOf<K>, Error> }

/** A query that is one call: `apiQuery(['list', id], 'GET /list/{id}', { params: { id }, staleTime: 0 })`. */
export function apiQuery<K extends GetKey>(
  queryKey: QueryKey,
  endpoint: K,
  ...[input]: InputArguments<K, Omit<Options<K>, 'queryKey' | 'queryFn'>>
): ApiQuery<K> {
  const given: object = input ?? {}
  const { params, query, ...options } = given as { params?: object; query?: Record<string, QueryValue> }
  return {
    ...options,
    queryKey: queryKey as ApiQuery<K>['queryKey'],
    queryFn: ({ signal }) =>
      callApi(endpoint, ...([{ params, query, signal }] as unknown as InputArguments<K, CallOptions>)),
  }
}
