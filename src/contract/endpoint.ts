import type { z } from 'zod'

/** Who signs in. A visitor has no role. */
export const roles = ['client', 'therapist', 'admin'] as const
export type Role = (typeof roles)[number]

/**
 * What a call accepts and answers, and who may make it. The key of an endpoint in the map is its method and path
 * below `/api/v7`, with parameters in braces: `GET /practitioner/{id}/profile`.
 */
export type Endpoint = {
  /** Roles that may call it, or every caller with or without a token. A token that is sent is always read. */
  access: 'anyone' | readonly Role[]
  /**
   * Which bearer token it takes, where not that of a sign-in. `ignored`: none is even read, since signing in and
   * refreshing must work while an old token is still sent. `chat`: that of a session of the chat, and no other.
   */
  token?: 'ignored' | 'chat'
  /** An admin who has yet to set up a second factor may call it too. */
  withoutSecondFactor?: true
  /** A suspended practitioner may call it too. What is not listed so answers them 403 `suspended`. */
  whileSuspended?: true
  /** The kind of object, with an owner, that the path or body names. Callers other than its owner get a 404. */
  owner?:
    | 'appointment'
    | 'series'
    | 'payment_method'
    | 'login_session'
    | 'review'
    | 'help_request'
    | 'waitlist_entry'
    | 'waitlist_offer'
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** Callers of earlier releases send no body: every field of it has been added since. */
  hadNoBody?: true
  answer: z.ZodType
  /** 200 unless said otherwise. */
  status?: 200 | 201
  /** Reads `If-Match: "<step>-<version>"`: a step that was saved meanwhile is answered 409 `changed_elsewhere`. */
  versioned?: true
  /** Takes a multipart form with one file of a kind, in the field named. */
  upload?: { field: string; kind: 'image' | 'document' | 'video' | 'captions' }
  /** Answers a file of one of these types; `answer` is then a text that stands for its bytes. */
  file?: readonly string[]
  /** Reads `Idempotency-Key`: the same key with the same body is carried out once and answered alike. */
  idempotent?: true
}

/** A call that every visitor may make. No token is read. */
export const withoutToken = { access: 'anyone', token: 'ignored' } as const

/** Keeps each endpoint's own schema types while checking its shape. */
export function defineEndpoints<
  const T extends Record<`${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`, Endpoint>,
>(map: T): T {
  return map
}
