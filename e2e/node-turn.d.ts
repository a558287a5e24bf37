declare module 'node-turn' {
  type Options = {
    listeningPort: number
    listeningIps: string[]
    relayIps: string[]
    authMech: 'long-term'
    realm: string
    debugLevel: 'OFF'
  }
  export default class Turn {
    constructor(options: Options)
    addUser(name: string, password: string): void
    start(): void
    stop(): void
  }
}
