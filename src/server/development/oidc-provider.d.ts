// oidc-provider has no types of its own: as much of it as is used here.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export type Account = { accountId: string; claims(): Promise<Record<string, unknown>> }
  export type Interaction = { uid: string }
  type Grant = { addOIDCScope(scopes: string): void; save(): Promise<string> }
  type Context = {
    type: string
    body: unknown
    oidc: {
      client: { clientId: string }
      session: { accountId: string }
      provider: { Grant: new (of: { clientId: string; accountId: string }) => Grant }
    }
  }

  export class Provider {
    constructor(
      issuer: string,
      configuration: {
        adapter(kind: string): object
        jwks: { keys: object[] }
        cookies: { keys: string[] }
        clients: Record<string, string | string[]>[]
        claims: Record<string, string[]>
        conformIdTokenClaims: boolean
        features: { devInteractions: { enabled: boolean } }
        interactions: { url(context: Context, interaction: Interaction): string }
        findAccount(context: Context, id: string): Account | undefined
        loadExistingGrant(context: Context): Promise<Grant>
        ttl: Record<string, number>
        renderError(context: Context): Promise<void>
      },
    )
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>
  }
}
