import type { PaymentGateway } from '#server/integrations/payment-gateway/port.ts'

/** A gateway whose calls that move money fail while it is away. */
export function absentGateway(isAway: () => boolean): (sandbox: PaymentGateway) => PaymentGateway {
  const unlessAway = async <T>(call: () => Promise<T>): Promise<T> => {
    if (isAway()) throw new Error('The gateway is away.')
    return call()
  }
  return (sandbox) => ({
    ...sandbox,
    authorise: (wanted) => unlessAway(() => sandbox.authorise(wanted)),
    capture: (ref) => unlessAway(() => sandbox.capture(ref)),
    void: (ref) => unlessAway(() => sandbox.void(ref)),
    refund: (wanted) => unlessAway(() => sandbox.refund(wanted)),
  })
}
