/** A step in the life of something that has states. */
export type Step<State, By = 'client' | 'practitioner' | 'admin' | 'system'> = {
  from: State
  to: State
  by: By
  /** The condition or the deadline. */
  when: string
}

/** Makes the check of a step. @throws Error for one that the table lacks: a defect, never the caller's fault */
export function stepsOf<State extends string>(
  what: string,
  life: readonly { from: State; to: State }[],
): (from: State, to: State) => void {
  return (from, to) => {
    if (!life.some((step) => step.from === from && step.to === to)) {
      throw new Error(`${what} cannot go from ${from} to ${to}.`)
    }
  }
}
