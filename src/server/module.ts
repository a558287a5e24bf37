import type { FastifyInstance } from 'fastify'
import type { DashboardParts } from '#contract/practitioners/dashboard.ts'
import type { AllDashboardParts, DashboardContribution } from './contributions/dashboard.ts'
import type { Lookups } from './contributions/lookups.ts'
import type { PersonalData } from './contributions/personal-data.ts'
import type { Subscriptions } from './events.ts'
import type { Serve } from './http/serve.ts'
import type { Queue } from './jobs/queue.ts'
import type { Platform } from './platform.ts'

/** What a module declares of itself. Only `services` is required. */
export type Declaration = {
  /** By the names under which later modules need them. */
  services: object
  /** Serves the calls of the contract that belong to the module. */
  routes?(serve: Serve): void
  /** Serves addresses outside the contract, below `/api/v7`. */
  apiPages?(api: FastifyInstance): void
  /** Serves addresses outside the contract, from the root. */
  pages?(app: FastifyInstance): void | Promise<void>
  /** Registers the handlers of the module's jobs. */
  jobs?(handle: Queue['handle']): void
  /** Subscriptions to events, in the announcing transaction. Earlier modules run first. */
  on?: Subscriptions
  /** Deletes what is no longer needed; called every hour. */
  tidy?(): Promise<void>
  personalData?: PersonalData
  dashboard?: { parts?: Partial<AllDashboardParts> } & Pick<DashboardContribution, 'tasks'>
  lookups?: Partial<Lookups>
}

/** A module: its name, and what it declares once it has the platform and the services of earlier modules. */
export type Module<Needs, D extends Declaration> = { name: string; declare: (given: Needs) => D }

/** What a module is given: the platform, and the services of earlier modules that it names. */
export type Given<Services = object> = Platform & Contributions & Services

/** What all modules contribute. Complete once every module was added, so read it when it is used. */
export type Contributions = {
  contributions: {
    /** From the last module to the first. */
    personalData(): PersonalData[]
    dashboardParts(): AllDashboardParts
    dashboardTasks(): NonNullable<DashboardContribution['tasks']>[]
    lookups(): Lookups
  }
}

/** Defines a module. The type of what `declare` is given names the services of earlier modules that it needs. */
export function defineModule<Needs, D extends Declaration>(
  name: string,
  declare: (given: Needs) => D,
): Module<Needs, D> {
  return { name, declare }
}

type PartsOf<D> =
  | (D extends { dashboard: { parts?: infer P } } ? keyof NonNullable<P> : never)
  | (D extends { lookups: infer L } ? keyof L : never)
type Expected = keyof DashboardParts | keyof Lookups

/** What was added so far: the services by name, and the dashboard's parts and lookups that modules contribute. */
export type Composition<Services, Parts> = {
  /** Adds a module. Does not compile where the module needs a service that was not added before. */
  add<D extends Declaration>(
    module: Module<Given<Services>, D>,
  ): Composition<Services & D['services'], Parts | PartsOf<D>>
  /** Ends the composition. Does not compile where a part of the dashboard or a lookup is missing. */
  complete: [Exclude<Expected, Parts>] extends [never]
    ? () => Composed<Services>
    : { missing: Exclude<Expected, Parts> }
}

export type Composed<Services> = {
  services: Services
  /** In the order in which they were added. */
  modules: readonly (Declaration & { name: string })[]
  contributions: Contributions['contributions']
}

/** Begins a composition of modules on a platform. The order of `add` is the order of the modules. */
export function compose(
  platform: Platform,
  /** Personal data that no module holds. */
  ofPlatform: readonly PersonalData[],
): Composition<object, never> {
  const modules: (Declaration & { name: string })[] = []
  const contributions: Contributions['contributions'] = {
    personalData: () => [
      ...ofPlatform,
      ...modules.flatMap(({ personalData }) => personalData ?? []).toReversed(),
    ],
    // `complete` compiles only if every part and every lookup is there.
    dashboardParts: () =>
      Object.assign({}, ...modules.map(({ dashboard }) => dashboard?.parts)) as AllDashboardParts,
    dashboardTasks: () => modules.flatMap(({ dashboard }) => dashboard?.tasks ?? []),
    lookups: () => Object.assign({}, ...modules.map(({ lookups }) => lookups)) as Lookups,
  }
  const services = {}
  const composition = {
    add({ name, declare }: Module<Given, Declaration>) {
      const declaration = declare({ ...platform, contributions, ...services })
      Object.assign(services, declaration.services)
      modules.push({ name, ...declaration })
      return composition
    },
    complete: () => ({ services, modules, contributions }),
  }
  return composition as unknown as Composition<object, never>
}
