/** An error as Stripe returns one. */
export class Refused extends Error {
  readonly status: number
  readonly error: Record<string, unknown>
  constructor(status: number, error: { type: string; message: string } & Record<string, unknown>) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

export const invalid = (message: string, more: Record<string, unknown> = {}) =>
  new Refused(400, { type: 'invalid_request_error', message, ...more })
export const missing = (what: string, id: string, param = 'id') =>
  new Refused(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  })
