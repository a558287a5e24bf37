const startFailure = 'StartFailure'

/** Runs a step of an app's start. What it throws is reported alone. */
export async function starting<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof Error) error.name = startFailure
    throw error
  }
}

/** Of errors with a failed start among them keeps that alone: hooks that then had no app to close fail as well. */
export function keepStartFailure(errors: { name?: string }[]): void {
  const failure = errors.find(({ name }) => name === startFailure)
  if (failure) errors.splice(0, errors.length, failure)
}
