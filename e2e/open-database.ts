// Loaded into a journey's own server before the product. The journey sends statements, which run on the server's
// embedded database between its own.
import { PGlite } from '@electric-sql/pglite'

export type Statement = { id: number; text: string; parameters: unknown[] }
export type Outcome = { id: number; rows: unknown[] } | { id: number; error: string }

const isStatement = (message: object): message is Statement => 'text' in message

const create: (...options: never[]) => Promise<PGlite> = PGlite.create.bind(PGlite)

PGlite.create = (async (...options: never[]) => {
  const pglite = await create(...options)
  const send = (outcome: Outcome) => process.send?.(outcome)
  process.on('message', (message: object) => {
    if (!isStatement(message)) return
    const { id, text, parameters } = message
    pglite.query(text, parameters).then(
      ({ rows }) => send({ id, rows }),
      (error: Error) => send({ id, error: error.message }),
    )
  })
  return pglite
}) as typeof PGlite.create
