import {
  type MutationOptions,
  type QueryClient,
  type QueryKey,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { AnswerOf, EndpointKey } from '#contract/endpoints.ts'
import { callApi, type CallOptions, newIdempotencyKey } from './api.ts'
import { ApiError } from './api-error.ts'
import type { GetKey, InputArguments } from './endpoint-types.ts'
import { isIdempotent } from './idempotent-endpoints.ts'
import { readAgain } from './read-again.ts'

/** Endpoints that change something. */
type ActionKey = Exclude<EndpointKey, GetKey>
type InputOf<K extends EndpointKey> = InputArguments<K, Omit<CallOptions, 'idempotencyKey'>>

export type ActionOptions<Input extends unknown[], Answer> = {
  /** Queries that show what is changed. Read again before `onDone`, for five seconds at most, and after a failure that may mean that they are out of date. */
  invalidates?: readonly QueryKey[]
  /** Called with the answer. The action is pending until it has ended. */
  onDone?(answer: Answer, ...input: Input): unknown
  /** Called with why it failed, once what may be out of date is being read again. */
  onRefused?(error: unknown): void
  /** Of those with the same queue, one begins when the one before it has ended. */
  queue?: string
}

/** A call that changes something, with what a page shows of it. */
export type Action<Input extends unknown[], Answer> = {
  /** Carries it out. @throws ApiError, for a form or dialog that shows it */
  send(...input: Input): Promise<Answer>
  /** Carries it out for a button: a failure is in `error`. A second press while it is pending does nothing. */
  start(...input: Input): void
  isPending: boolean
  /** The last try has succeeded. */
  isDone: boolean
  /** Why the last try failed; undefined from the next try on. */
  error: unknown
  /** Of the last try. */
  input: Input | undefined
  answer: Answer | undefined
  /** Forgets error and answer. */
  reset(): void
}

/**
 * A call that changes something: `useAction('PUT /notices', { invalidates: [noticesQuery().queryKey] })`, or a function
 * for what is more than one call. An endpoint that the contract marks idempotent gets its key here.
 */
export function useAction<K extends ActionKey>(
  endpoint: K,
  options?: ActionOptions<InputOf<K>, AnswerOf<K>> & { call?: typeof callApi },
): Action<InputOf<K>, AnswerOf<K>>
export function useAction<Input extends unknown[], Answer>(
  work: (...input: Input) => Promise<Answer>,
  options?: ActionOptions<Input, Answer>,
): Action<Input, Answer>
export function useAction(
  what: ActionKey | Work,
  { call = callApi, ...options }: ActionOptions<unknown[], unknown> & { call?: typeof callApi } = {},
): Action<unknown[], unknown> {
  const client = useQueryClient()
  const [keys] = useState(() => new Map<string, string>())
  const isBusy = useRef(false)
  const work = typeof what === 'string' ? idempotent(what, keys, call as LooseCall) : what
  const { mutateAsync, isPending, isSuccess, error, variables, data, reset } = useMutation(
    actionOptions(client, work, options),
  )
  return {
    send: (...input) => mutateAsync(input),
    start(...input) {
      if (isBusy.current) return
      isBusy.current = true
      void mutateAsync(input)
        .catch(() => undefined)
        .finally(() => {
          isBusy.current = false
        })
    },
    isPending,
    isDone: isSuccess,
    error: error ?? undefined,
    input: variables,
    answer: data,
    reset,
  }
}

type Work = (...input: unknown[]) => Promise<unknown>
type LooseCall = (endpoint: ActionKey, input: unknown) => Promise<unknown>

/** How long an action that is done waits for what the page shows of it. */
const longestMs = 5000

/** How an action is carried out. For `useAction`, and for its tests. */
export function actionOptions(
  client: QueryClient,
  work: Work,
  { invalidates = [], onDone, onRefused, queue }: ActionOptions<unknown[], unknown>,
): MutationOptions<unknown, unknown, unknown[]> {
  const invalidate = () => Promise.all(invalidates.map((queryKey) => readAgain(client, queryKey)))
  return {
    mutationFn: (input) => work(...input),
    ...(queue !== undefined && { scope: { id: queue } }),
    async onSuccess(answer, input) {
      // It is done: where the network dies after it, its button is not busy for as long as reading again is tried.
      await Promise.race([invalidate(), new Promise((resolve) => setTimeout(resolve, longestMs))])
      await onDone?.(answer, ...input)
    },
    onError(error) {
      if (mayBeOutOfDate(error)) void invalidate()
      onRefused?.(error)
    },
    // What was typed, a password for one, is forgotten with the form that it was typed into.
    gcTime: 1000,
  }
}

/** Whether what the page shows may not be what the server has: it is gone, was changed meanwhile, or no answer came. */
function mayBeOutOfDate(error: unknown): boolean {
  return !(error instanceof ApiError) || [404, 409].includes(error.status) || !isDefinite(error)
}

/** Whether it is known what became of the call: it was refused and nothing was done. */
export function isDefinite(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    error.code !== 'request_in_progress'
  )
}

/**
 * Gives a call its idempotency key, where the contract marks it. The key is made at the first try and sent with every
 * repetition of the same input until one of them has a definite answer. Wanting the same again is then another act.
 * @param keys by input
 */
export function idempotent(endpoint: ActionKey, keys: Map<string, string>, call: LooseCall): Work {
  if (!isIdempotent(endpoint)) return (input) => call(endpoint, input)
  return async (input = {}) => {
    const act = JSON.stringify(input)
    const idempotencyKey = keys.get(act) ?? newIdempotencyKey()
    keys.set(act, idempotencyKey)
    try {
      const answer = await call(endpoint, { ...(input as object), idempotencyKey })
      keys.delete(act)
      return answer
    } catch (error) {
      if (isDefinite(error)) keys.delete(act)
      throw error
    }
  }
}
