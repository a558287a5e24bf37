type Payload = { uid?: string; grantId?: string; consumed?: number } & Record<string, unknown>

/** What a development provider remembers at maxEntries; the oldest goes first. */
const maxEntries = 5000

const kept = new Map<string, { payload: Payload; until: number }>()

/** Where a development provider keeps what it knows: in this process, while it runs. One is made for each kind of thing. */
export function memoryAdapter(kind: string) {
  const keyOf = (id: string) => `${kind} ${id}`
  const read = (id: string) => {
    const found = kept.get(keyOf(id))
    return found && found.until > Date.now() ? found.payload : undefined
  }
  const where = async (fits: (payload: Payload) => boolean) =>
    [...kept].find(
      ([key, { payload, until }]) => key.startsWith(`${kind} `) && until > Date.now() && fits(payload),
    )?.[1].payload

  return {
    async upsert(id: string, payload: Payload, seconds: number) {
      kept.delete(keyOf(id))
      kept.set(keyOf(id), { payload, until: Date.now() + seconds * 1000 })
      for (const oldest of kept.keys()) {
        if (kept.size <= maxEntries) break
        kept.delete(oldest)
      }
    },
    find: async (id: string) => read(id),
    findByUid: (uid: string) => where((payload) => payload.uid === uid),
    findByUserCode: async () => undefined,
    async destroy(id: string) {
      kept.delete(keyOf(id))
    },
    async revokeByGrantId(grantId: string) {
      for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key)
    },
    async consume(id: string) {
      const payload = read(id)
      if (payload) payload.consumed = Math.floor(Date.now() / 1000)
    },
  }
}
