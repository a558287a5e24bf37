import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callApi } from '#web/lib/api.ts'

const body = (ids: readonly number[]) => ({ body: { practitioner_ids: [...ids] } })

/** The cards of the people saved, in the order of their ids. */
export const cardsQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['shortlist', 'cards', ids],
    queryFn: ({ signal }) => callApi('POST /practitioner/cards', { ...body(ids), signal }),
    placeholderData: keepPreviousData,
  })

/** The profiles of people side by side. */
export const comparisonQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['shortlist', 'compared', ids],
    queryFn: ({ signal }) => callApi('POST /practitioner/compare', { ...body(ids), signal }),
  })
