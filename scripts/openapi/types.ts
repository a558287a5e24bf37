/** The part of OpenAPI 3.1 that the document uses. */
export type Schema = {
  $ref?: string
  type?: string
  description?: string | undefined
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  [keyword: string]: unknown
}

export type Parameter = {
  in: string
  name: string
  required?: boolean
  description?: string
  schema: Schema
}

type Content = Record<string, { schema: Schema }>

/** What is sent or returned. */
export type Described = { description?: string; required?: boolean; content: Content }

export type Response = { $ref: string } | Described

export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: Described | undefined
  responses: Record<string, { $ref?: string; description?: string; content?: Content }>
}

export type OpenApiDocument = {
  openapi: string
  info: unknown
  servers: unknown[]
  paths: Record<string, Record<string, Operation>>
  components: {
    securitySchemes: Record<string, unknown>
    responses: Record<string, Response>
    schemas: Record<string, Schema>
  }
}
