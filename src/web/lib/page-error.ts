import { data } from 'react-router'
import { ApiError } from './api-error.ts'

/**
 * What a loader throws when a call failed: the API's own refusals keep their status on the page, everything else is
 * thrown as it is and reported.
 */
export function pageErrorOf(error: unknown): unknown {
  if (error instanceof ApiError && error.status >= 400 && error.status < 500) {
    return data({ message: error.message }, { status: error.status })
  }
  return error
}
