import { randomUUID } from 'node:crypto'

/** Another one in each worker: who subscribes with an address takes it over from the account that had it. */
export const playedSubscription = {
  endpoint: `https://fcm.googleapis.com/fcm/send/of-this-test-${randomUUID()}`,
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
}

/** The push service of this browser is out of reach for a test: its part is played, for all tabs of the browser. */
export const playedPushService = `{
  const { endpoint, keys } = ${JSON.stringify(playedSubscription)}
  const bytesOf = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0)).buffer
  const made = (applicationServerKey) => ({
    endpoint,
    options: { applicationServerKey },
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: async () => {
      present = null
      localStorage.removeItem('played-push-key')
    },
  })
  const keyOfBefore = window.keyOfBefore ?? localStorage.getItem('played-push-key')
  let present = keyOfBefore ? made(bytesOf(keyOfBefore)) : null
  PushManager.prototype.getSubscription = async () => present
  PushManager.prototype.subscribe = async (options) => {
    if (present && window.keyOfBefore) throw new DOMException('made with another key', 'InvalidStateError')
    localStorage.setItem('played-push-key', options.applicationServerKey)
    return (present = made(bytesOf(options.applicationServerKey)))
  }
}`
