/*
 * What the pages use and the oldest browsers of decision 0068 lack, as its standard has it. For its effect alone; the
 * journeys of `oldest-browsers.spec.ts` find what is missing here.
 */

Promise.withResolvers ??= <T>() => {
  let resolve: PromiseWithResolvers<T>['resolve'] = () => undefined
  let reject: PromiseWithResolvers<T>['reject'] = () => undefined
  const promise = new Promise<T>((...settle) => {
    ;[resolve, reject] = settle
  })
  return { promise, resolve, reject }
}

URL.canParse ??= (url, base) => {
  try {
    return new URL(url, base) instanceof URL
  } catch {
    return false
  }
}

AbortSignal.any ??= (signals) => {
  const controller = new AbortController()
  for (const signal of signals) {
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true, signal: controller.signal })
  }
  return controller.signal
}

Element.prototype.checkVisibility ??= function checkVisibility() {
  return this.getClientRects().length > 0
}
