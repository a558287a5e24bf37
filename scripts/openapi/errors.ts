import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { ErrorAnswer, errorCodes } from '#contract/errors.ts'
import { statusOf } from '#server/errors.ts'
import type { Response, Schema } from './types.ts'

const statuses = [...new Set(Object.values(statusOf))].toSorted((one, other) => one - other)

/** 422, `Unprocessable Entity` → `UnprocessableEntity`. */
const nameOf = (status: number) => (STATUS_CODES[status] ?? String(status)).replaceAll(/\W|Error$/g, '')

/** An error schema for each status, with the codes that come with it. */
export const errorSchemas: Record<string, Schema> = Object.fromEntries(
  statuses.map((status) => {
    const codes = errorCodes.filter((code) => statusOf[code] === status)
    const { $schema: _, ...schema } = z.toJSONSchema(ErrorAnswer.extend({ code: z.enum(codes) }))
    return [`${nameOf(status)}Error`, schema as Schema]
  }),
)

export const errorResponses: Record<string, Response> = Object.fromEntries([
  ...statuses.map((status) => [
    nameOf(status),
    responseOf(STATUS_CODES[status] ?? String(status), `${nameOf(status)}Error`),
  ]),
  ['Error', responseOf('Any other error; `code` says which', 'ErrorAnswer')],
])

function responseOf(description: string, schema: string): Response {
  return {
    description,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  }
}

/** The errors that an endpoint can answer, as far as its entry in the contract decides; `4XX` covers others. */
export function responsesOf(endpoint: Endpoint): Record<string, Response> {
  const takesBody = endpoint.body !== undefined || endpoint.upload !== undefined
  const possible: [number, boolean][] = [
    [400, takesBody],
    [401, true],
    [403, endpoint.access !== 'anyone'],
    [404, endpoint.params !== undefined || endpoint.owner !== undefined],
    [409, endpoint.idempotent === true || endpoint.versioned === true],
    [413, takesBody],
    [415, takesBody],
    [422, takesBody || endpoint.params !== undefined || endpoint.query !== undefined],
    [429, true],
    [500, true],
    [503, true],
  ]
  return Object.fromEntries([
    ...possible.flatMap(([status, is]): [string, Response][] =>
      is ? [[String(status), { $ref: `#/components/responses/${nameOf(status)}` }]] : [],
    ),
    ['4XX', { $ref: '#/components/responses/Error' }],
  ])
}
