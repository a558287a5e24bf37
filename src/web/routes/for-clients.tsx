import { admit } from '#web/lib/guard.ts'

export const clientMiddleware = admit('client')
