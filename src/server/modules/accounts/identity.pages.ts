import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { Entrance, type IdentityTrouble } from '#contract/accounts/identity.ts'
import { errorName } from '../../errors.ts'
import { readCookie } from '../../http/cookies.ts'

type Identities = {
  begin(wish: { page: Entrance; returnTo?: string | undefined }): Promise<{ url: string; kept: string }>
  finish(
    query: URLSearchParams,
    kept: string | undefined,
  ): Promise<
    { page: Entrance; returnTo?: string | undefined } & ({ code: string } | { trouble: IdentityTrouble })
  >
}

const path = '/api/v7/identity'
const cookie = 'hearth_identity'
/** A path of our own, as the page will judge it once more: nothing that a browser could read as a host. */
const isOwnPath = (path: string) => /^\/(?![/\\])/.test(path) && !/[\\\p{Cc}]/u.test(path)
const Wish = z.object({
  page: Entrance.catch('/sign-in'),
  return_to: z.string().max(1000).refine(isOwnPath).optional().catch(undefined),
})

/**
 * Redirects to an OpenID provider's pages (`/identity/start`) and back (`/identity/callback`). The secrets of the flow
 * stay in a cookie that only these paths receive, so that an attacker cannot complete here a flow begun elsewhere. The
 * page gets a one-time code in the URL fragment, which browsers send to no server.
 */
export function redirectToIdentity(api: FastifyInstance, identities: Identities, secure: boolean): void {
  const keep = (reply: FastifyReply, value: string, seconds: number) =>
    reply.header(
      'set-cookie',
      `${cookie}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
    )

  api.get('/identity/start', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const { page, return_to: returnTo } = Wish.parse(request.query)
    try {
      const { url, kept } = await identities.begin({ page, returnTo })
      return keep(reply, kept, 900).redirect(url, 303)
    } catch (error) {
      request.log.warn({ err: { name: errorName(error) } }, 'A social sign-in could not begin.')
      return reply.redirect(addressOfPage({ page, returnTo, trouble: 'failed' }), 303)
    }
  })

  api.get('/identity/callback', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const { search } = new URL(request.url, 'http://hearth.invalid')
    const end = await identities.finish(
      new URLSearchParams(search),
      readIdentityCookie(request.headers.cookie),
    )
    return reply.redirect(addressOfPage(end), 303)
  })
}

/** What the browser keeps of a way to the provider. */
export function readIdentityCookie(header: string | undefined): string | undefined {
  return readCookie(header, cookie, /^[\w-]{1,4000}$/)
}

function addressOfPage(
  end: { page: Entrance; returnTo?: string | undefined } & ({ code: string } | { trouble: IdentityTrouble }),
): string {
  const query = end.returnTo ? `?${new URLSearchParams({ return_to: end.returnTo }).toString()}` : ''
  const fragment = 'code' in end ? `identity=${end.code}` : `identity-trouble=${end.trouble}`
  return `${end.page}${query}#${fragment}`
}
