import type { Config } from '../config.ts'
import type { Tracing } from '../integrations/tracing/port.ts'

/** What follows requests through the product, or undefined: then nothing of it is even loaded. */
export async function tracingOf(
  config: Config,
  say: (sentence: string) => void,
): Promise<Tracing | undefined> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint) return undefined
  const { openTelemetry } = await import('../integrations/tracing/open-telemetry.ts')
  return openTelemetry({
    endpoint,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    service: config.OTEL_SERVICE_NAME,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    say,
  })
}
