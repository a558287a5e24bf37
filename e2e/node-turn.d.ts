declare module 'node-turn' {
  type Options = {
    listeningPort: number
    listeningIps: string[]
    relayIps: string[]
    authMech: 'long-term'
    realm: string
    debugLevel: 'OFF'
    /** Passwords by name. */
    credentials: Record<string, string | undefined>
  }
  export default class Turn {
    constructor(options: Options)
    start(): void
    stop(): void
  }
}
