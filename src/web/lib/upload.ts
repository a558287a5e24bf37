import type { AnswerOf, EndpointKey, Endpoints } from '#contract/endpoints.ts'
import { basePath, callApi, freshToken } from './api.ts'
import { ApiError, errorOfAnswer } from './api-error.ts'
import { pathOf } from './endpoint-types.ts'
import { readSession } from './session.ts'

/** Endpoints that take a file. */
export type UploadKey = {
  [K in EndpointKey]: Endpoints[K] extends { upload: object } ? K : never
}[EndpointKey]

export type Upload = {
  /** Values in the path. */
  params?: Readonly<Record<string, string | number>>
  /** Name of the form's field that holds the file. */
  field: string
  file: File
  /** Fields that stand before the file. */
  fields?: Readonly<Record<string, string>>
  ifMatch?: string
  /** 0 to 1, as far as the browser has handed it to the network. */
  onProgress(part: number): void
  signal: AbortSignal
}

/** Milliseconds without any progress after which the line is taken for dead. */
const patience = 60_000
/** The same once the whole file has been sent: the server may need minutes to check a large one and to store it. */
const answerPatience = 600_000
/** Bytes from which on a file is sent only once the token is known to be accepted. */
const largeSize = 1_000_000

/**
 * Sends a file, saying how far it has come. A 401 refreshes the tokens once and sends it again; before a large file a
 * small call finds it out.
 * @throws ApiError as `callApi`; an abort by `signal` is thrown as it is
 */
export async function uploadFile<K extends UploadKey>(key: K, upload: Upload): Promise<AnswerOf<K>> {
  if (upload.file.size >= largeSize) await checkToken(upload.signal)
  const session = readSession()
  if (session.role === 'anonymous') return bodyOf<K>(await send(key, upload, undefined))
  const answer = await send(key, upload, session.accessToken)
  if (answer.status !== 401) return bodyOf<K>(answer)
  return bodyOf<K>(await send(key, upload, await freshToken(session)))
}

/** Has an expired token renewed. @throws as `callApi` */
async function checkToken(signal: AbortSignal): Promise<void> {
  const { role } = readSession()
  if (role === 'therapist') await callApi('GET /therapist/account', { signal })
  if (role === 'admin') await callApi('GET /admin/profile', { signal })
}

type Answer = { status: number; text: string; retryAfter: string | null }

/** By XMLHttpRequest: `fetch` does not say how much of a body has been sent. */
function send(key: UploadKey, upload: Upload, token: string | undefined): Promise<Answer> {
  const { method, path } = pathOf(key, upload.params)
  const form = new FormData()
  for (const [name, value] of Object.entries(upload.fields ?? {})) form.append(name, value)
  form.append(upload.field, upload.file)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    let timer = 0
    const wait = (longest: number) => {
      clearTimeout(timer)
      timer = window.setTimeout(() => {
        request.abort()
        reject(
          transportError('timed_out', 'The upload has stopped. Please check your connection and try again.'),
        )
      }, longest)
    }
    const onAbort = () => {
      request.abort()
      reject(upload.signal.reason instanceof Error ? upload.signal.reason : new Error('aborted'))
    }
    request.addEventListener('loadend', () => {
      clearTimeout(timer)
      upload.signal.removeEventListener('abort', onAbort)
    })
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      wait(patience)
      if (total > 0) upload.onProgress(loaded / total)
    })
    request.upload.addEventListener('load', () => wait(answerPatience))
    request.addEventListener('load', () =>
      resolve({
        status: request.status,
        text: request.responseText,
        retryAfter: request.getResponseHeader('retry-after'),
      }),
    )
    request.addEventListener('error', () =>
      reject(
        transportError(
          'network_failure',
          'The upload was interrupted. Please check your connection and try again.',
        ),
      ),
    )
    if (upload.signal.aborted) {
      onAbort()
      return
    }
    upload.signal.addEventListener('abort', onAbort)
    request.open(method, `${location.origin}${basePath}${path}`)
    request.setRequestHeader('Accept', 'application/json')
    if (token) request.setRequestHeader('Authorization', `Bearer ${token}`)
    if (upload.ifMatch) request.setRequestHeader('If-Match', upload.ifMatch)
    wait(patience)
    request.send(form)
  })
}

function transportError(code: 'timed_out' | 'network_failure', message: string): ApiError {
  return new ApiError(0, { code, message })
}

function bodyOf<K extends UploadKey>({ status, text, retryAfter }: Answer): AnswerOf<K> {
  const body = parse(text)
  if (status >= 200 && status < 300 && body !== undefined) return body as AnswerOf<K>
  const seconds = Number(retryAfter)
  throw errorOfAnswer(status, body, seconds > 0 ? seconds : undefined)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
