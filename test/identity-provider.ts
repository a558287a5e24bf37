// An OpenID provider in a process of its own: `node test/identity-provider.ts PORT REDIRECT_URI`.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { developmentProvider } from '#server/development/identity-provider.ts'

const [port = '0', redirectUri = ''] = process.argv.slice(2)

const server = createServer((request, response) => {
  void provider.then(({ handle }) => handle(request, response))
})
await new Promise<void>((resolve) => server.listen(Number(port), '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openid`
const provider = developmentProvider({ issuer, clientId: 'hearth-test', redirectUri })
await provider
// The process that started it reads the issuer from the first line.
process.stdout.write(`${issuer}\n`)
