import type { z } from 'zod'
import type { EndpointKey, Endpoints } from '#contract/endpoints.ts'

type PartSent<K extends EndpointKey, Part extends 'params' | 'query' | 'body'> =
  Endpoints[K] extends Record<Part, infer Schema extends z.ZodType>
    ? { [Name in Part]: z.input<Schema> }
    : unknown

/** Ids in a path are coerced from text by the server, so their input type is unknown; here they are numbers or texts. */
type PathParams<K extends EndpointKey> = Endpoints[K] extends { params: infer Schema extends z.ZodType }
  ? { params: { [Name in keyof z.output<Schema>]: string | number } }
  : unknown

/** Query values as they stand in an address: a list is joined by commas, undefined is left out. */
export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined | null
type Query<K extends EndpointKey> = Endpoints[K] extends { query: infer Schema extends z.ZodType }
  ? { query?: { [Name in keyof z.output<Schema>]?: QueryValue } }
  : unknown

/** What a call needs. Nothing but the options for an endpoint without input. */
export type CallInput<K extends EndpointKey> = PathParams<K> & Query<K> & PartSent<K, 'body'>

/** Endpoints that only read. */
export type GetKey = Extract<EndpointKey, `GET ${string}`>

/** Whether nothing has to be given. */
export type InputArguments<K extends EndpointKey, Options> =
  object extends CallInput<K> ? [input?: CallInput<K> & Options] : [input: CallInput<K> & Options]

/** Splits `GET /practitioner/{id}/profile` and fills in what stands in braces. */
export function pathOf(
  key: EndpointKey,
  params: Record<string, string | number> = {},
): { method: string; path: string } {
  const [method = 'GET', pattern = '/'] = key.split(' ')
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${key} needs ${name}`)
    return encodeURIComponent(value)
  })
  return { method, path }
}

/** The values of a query as texts; what is absent or an empty list is left out. */
export function queryTexts(query: Record<string, QueryValue> = {}): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(query)) {
    const text = Array.isArray(value) ? value.join(',') : (value ?? '')
    if (text !== '') texts[name] = String(text)
  }
  return texts
}
