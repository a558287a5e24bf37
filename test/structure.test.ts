import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Import = {
  /** The file that imports, from the project's root. */
  from: string
  /** The imported file from the project's root, or the package's name. */
  to: string
  /** Only types, which leave no trace when it runs. */
  types: boolean
  package: boolean
}

const files = globSync('src/**/*.{ts,tsx}', { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .toSorted()
const sources = files.filter((path) => !/\.(test|gen)\.tsx?$/.test(path))
const imports = sources.flatMap(importsOf)

function importsOf(from: string): Import[] {
  const code = read(from).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const found: Import[] = []
  const add = (specifier: string, types: boolean) => {
    const [path = ''] = specifier.split('?')
    const inside = path.startsWith('.')
      ? normalize(join(dirname(from), path)).replaceAll('\\', '/')
      : aliased(path)
    found.push({ from, to: inside ?? packageOf(path), types, package: inside === undefined })
  }
  for (const [, clause = '', specifier = ''] of code.matchAll(
    /^(?:import|export)\s+([\w*${}\s,]+?)\s+from\s+'([^']+)'/gm,
  )) {
    add(specifier, isTypesOnly(clause))
  }
  for (const [, specifier = ''] of code.matchAll(/^import\s+'([^']+)'/gm)) add(specifier, false)
  for (const [, specifier = ''] of code.matchAll(/\bimport\('([^']+)'\)/g)) add(specifier, false)
  return found
}

function isTypesOnly(clause: string): boolean {
  if (clause.startsWith('type ')) return true
  const names = /^\{([\s\S]*)\}$/.exec(clause.trim())?.[1]
  return names !== undefined && names.split(',').every((name) => /^\s*(type\s|$)/.test(name))
}

function aliased(specifier: string): string | undefined {
  const [, alias, rest] = /^#(\w+)\/(.+)$/.exec(specifier) ?? []
  if (!alias) return undefined
  return alias === 'test' ? `test/${rest}` : `src/${alias}/${rest}`
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/** The imports of some files that a rule does not allow, as sentences. */
function broken(of: RegExp, allowed: (found: Import) => boolean): string[] {
  const concerned = imports.filter(({ from }) => of.test(from))
  expect(concerned.length, `no imports in files like ${of}`).toBeGreaterThan(0)
  return concerned
    .filter((found) => !allowed(found))
    .map(({ from, to, types }) => `${from} may not import ${types ? 'types of ' : ''}${to}`)
}

/** Whether a file loads no other, such as a part of the contract without zod. */
const isLight = (path: string) => imports.every(({ from, types }) => from !== path || types)

/** Lines of code, without comments and texts, that match. */
function linesWith(paths: string[], pattern: RegExp): string[] {
  return paths.flatMap((path) => {
    const code = read(path)
      .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
      .replace(/(^|\s)\/\/.*$/gm, '')
      .replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, "''")
    return code
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : []))
  })
}

test('there are files to look at', () => {
  expect(sources.length).toBeGreaterThan(150)
  expect(imports.length).toBeGreaterThan(800)
  for (const folder of [
    'contract',
    'server/http',
    'server/modules',
    'server/integrations',
    'web/ui',
    'web/lib',
    'web/features',
    'web/routes',
  ]) {
    expect(sources.filter((path) => path.startsWith(`src/${folder}/`)).length, folder).toBeGreaterThan(2)
  }
  const missing = imports.filter(({ to, package: isPackage }) => !isPackage && !existsSync(join(root, to)))
  // React Router writes types beside the routes.
  expect(missing.filter(({ to }) => !to.includes('/+types/'))).toEqual([])
})

describe('the contract', () => {
  test('knows zod alone', () => {
    expect(broken(/^src\/contract\//, ({ to }) => to === 'zod' || to.startsWith('src/contract/'))).toEqual([])
  })
})

/** Parts of the web that send a change without `useAction`, and why. */
const sendingOtherwise = {
  'src/web/features/accounts/push.ts': 'called by an action, between two questions to the browser',
  'src/web/features/accounts/social-entrance.ts': 'sent by the page itself on the way back from the provider',
  'src/web/features/back-office/VideoOrders.tsx': 'asks for a link by the action of PrivateVideo',
  'src/web/features/chat/chat-store.ts': 'kept outside of React',
  'src/web/features/chat/outbox.ts': 'sends by itself, in order',
  'src/web/features/get-help/OfferDialog.tsx': 'stands outside of the cache of live pages',
  'src/web/features/layout/sign-out.ts': 'leaves the page, whatever the server answers',
  'src/web/features/practitioners/use-counted-view.ts': 'counts in silence',
  'src/web/features/search/sentence/SentenceBox.tsx': 'reads; a sentence stays out of addresses',
  'src/web/features/series/series-queries.ts': 'reads; what is wanted is too long for an address',
  'src/web/features/shortlist/shortlist-queries.ts': 'reads; ids of practitioners stay out of addresses',
  'src/web/features/shortlist/shortlist-store.ts': 'kept outside of React',
  'src/web/features/subscriptions/VideoProgress.tsx': 'asks for a link by the action of PrivateVideo',
  'src/web/routes/confirm-email.tsx': 'called by the action of the page behind a mailed link',
  'src/web/routes/recommended-therapy.tsx': 'reads; its answers are too long for an address',
  'src/web/routes/unsubscribe.tsx': 'called by the action of the page behind a mailed link',
  'src/web/routes/verify-email.tsx': 'called by the action of the page behind a mailed link',
}

describe('the web', () => {
  const within =
    (...folders: string[]) =>
    (found: Import) =>
      found.package || folders.some((folder) => found.to.startsWith(folder))

  test('kit and lib stand on libraries and the contract', () => {
    expect(broken(/^src\/web\/(ui|lib)\//, within('src/web/ui/', 'src/web/lib/', 'src/contract/'))).toEqual(
      [],
    )
  })

  test('a feature stands on kit, lib and contract, and never on another feature', () => {
    expect(
      broken(/^src\/web\/features\//, (found) => {
        const own = found.from.split('/').slice(0, 4).join('/')
        return within('src/web/ui/', 'src/web/lib/', 'src/contract/', `${own}/`)(found)
      }),
    ).toEqual([])
  })

  test('routes compose features, and nothing but routes.ts names a route', () => {
    expect(
      broken(
        /^src\/web\/routes\//,
        within('src/web/routes/+types/', 'src/web/features/', 'src/web/ui/', 'src/web/lib/', 'src/contract/'),
      ),
    ).toEqual([])
  })

  test('loads no file of the contract that loads zod, so that no browser loads what only the server checks', () => {
    const loaded = imports.filter(
      ({ from, to, types }) => from.startsWith('src/web/') && to.startsWith('src/contract/') && !types,
    )
    expect(loaded.length).toBeGreaterThan(0)
    expect(loaded.filter(({ to }) => !isLight(to)).map(({ from, to }) => `${from} loads ${to}`)).toEqual([])
  })

  test('a change is sent through useAction, and a form is a Form', () => {
    const parts = sources.filter((path) => /^src\/web\/(features|routes|ui)\//.test(path))
    const sending = parts.filter((path) =>
      /\b(callApi|callChat)\(\s*(\w+ === \W\w+\W\s*\?\s*)?\W(POST|PUT|DELETE) /.test(read(path)),
    )
    expect(sending).toEqual(Object.keys(sendingOtherwise).toSorted())
    expect(parts.filter((path) => read(path).includes('.handleSubmit('))).toEqual(['src/web/ui/Form.tsx'])
    const ofLibrary = /\buseForm\b[^}]*\} from 'react-hook-form'/
    expect(parts.filter((path) => ofLibrary.test(read(path)))).toEqual([])
  })

  test('has every form walked in the browser with each field wrong: walkForm in e2e', () => {
    const forms = sources.filter(
      (path) => /^src\/web\/.*\.tsx$/.test(path) && /\buse(Step)?Form[<(]/.test(read(path)),
    )
    expect(forms.length).toBeGreaterThan(30)
    const walks = globSync('e2e/*.ts', { cwd: root }).map(read).join('\n')
    // A step of the wizard is named by its file alone.
    const nameOf = (path: string) =>
      (/\/steps\/\w+/.exec(path)?.[0] ?? path.slice('src/web/'.length))
        .replace('/steps/', '}/')
        .replace('.tsx', '')
    // Stripe's fields stand in frames, which stripe.spec.ts fills in.
    const others = ['src/web/features/payments/StripeCardForm.tsx']
    expect(forms.filter((path) => !walks.includes(nameOf(path)) && !others.includes(path))).toEqual([])
  })

  test('has no button that the browser takes out of the tab order', () => {
    const found = sources.filter((path) =>
      [...read(path).matchAll(/<button\b([\s\S]*?)<\/button>/g)].some(([, code = '']) =>
        /\sdisabled[=\s>]/.test(code.split('<')[0] ?? ''),
      ),
    )
    expect(found).toEqual([])
  })

  test('knows nothing of the server, its libraries or Node', () => {
    const serverOnly = [
      'fastify',
      'kysely',
      'pg',
      'pg-boss',
      'argon2',
      'pino',
      'sharp',
      'nodemailer',
      '@electric-sql/pglite',
    ]
    expect(
      broken(
        /^src\/web\//,
        ({ to, package: isPackage }) =>
          !to.startsWith('src/server/') && !to.startsWith('node:') && !(isPackage && serverOnly.includes(to)),
      ),
    ).toEqual([])
  })
})

const order = [
  'mails',
  'accounts',
  'notifications',
  'practitioners',
  'availability',
  'calendars',
  'payments',
  'subscriptions',
  'bookings',
  'series',
  'waitlist',
  'chat',
  'rooms',
  'reviews',
  'get-help',
  'sessions',
  'search',
  'shortlist',
  'back-office',
]
const moduleOf = (path: string) => /^src\/server\/modules\/([^/]+)\//.exec(path)?.[1]

/** What a file of a module is, by its name: `search.store.ts` is a store, `passwords.ts` is plain. */
const kinds = ['routes', 'service', 'rules', 'store', 'mapper', 'jobs', 'limits', 'module', 'pages'] as const
type Kind = (typeof kinds)[number] | 'plain'
const kindOf = (path: string): Kind => kinds.find((kind) => path.endsWith(`.${kind}.ts`)) ?? 'plain'

const smallRoot = ['clock', 'errors', 'ids', 'key-file', 'loopback', 'markup', 'old-files'].map(
  (name) => `src/server/${name}.ts`,
)

describe('a module of the server', () => {
  const inModule = /^src\/server\/modules\//
  const ofKind = (kind: Kind) => new RegExp(`^src/server/modules/(?:[^/]+/)+[^/]+\\.${kind}\\.ts$`)
  const isContract = ({ to }: Import) => to.startsWith('src/contract/')
  const isOwn = (found: Import, ...allowed: Kind[]) =>
    moduleOf(found.to) === moduleOf(found.from) &&
    (allowed.length === 0 || allowed.includes(kindOf(found.to)))
  const isEarlier = ({ from, to }: Import) =>
    moduleOf(to) !== undefined && order.indexOf(moduleOf(to) ?? '') < order.indexOf(moduleOf(from) ?? '')
  const isContribution = ({ to }: Import) => to.startsWith('src/server/contributions/')
  const isPort = ({ to }: Import) => /^src\/server\/integrations\/[^/]+\/port\.ts$/.test(to)
  /** The pure functions that mails are written with, independent of the delivery. */
  const isMailText = ({ to }: Import) =>
    ['layout', 'calendar-entry', 'format', 'names', 'recipients', 'times', 'unconfirmed'].some(
      (name) => to === `src/server/integrations/mail/${name}.ts`,
    )
  const rootFiles = [
    'clock',
    'deps',
    'errors',
    'events',
    'ids',
    'journeys',
    'json-text',
    'months',
    'remembered',
    'resumption',
    'secrets',
  ].map((name) => `src/server/${name}.ts`)

  const stores = sources.filter((path) => kindOf(path) === 'store')
  const tablesIn = (path: string, pattern: RegExp) =>
    [...read(path).matchAll(pattern)].map(([, built, raw]) => built ?? raw ?? '')
  /** The modules that write to each table. */
  const writers = new Map<string, Set<string>>()
  for (const path of stores) {
    for (const table of tablesIn(
      path,
      /(?:insertInto|updateTable|deleteFrom)\('([\w.]+)|\b(?:insert into|delete from|update) ([a-z_.]+)(?=[\s(])/g,
    )) {
      if (table !== 'set' && table !== 'of')
        writers.set(table, (writers.get(table) ?? new Set()).add(moduleOf(path) ?? path))
    }
  }

  test('is composed in the order that the rules below go by', () => {
    const composed = [...read('src/server/composition.ts').matchAll(/\.add\((\w+)Module\)/g)].map(
      ([, name = '']) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    )
    expect(composed).toEqual(order)
  })

  test('is held to the rules below in its folders too', () => {
    for (const kind of ['store', 'service', 'rules', 'mapper', 'pages'] as const) {
      const inFolder = sources.filter((path) => ofKind(kind).test(path) && path.split('/').length > 5)
      expect(inFolder.length, kind).toBeGreaterThan(0)
    }
  })

  test('is one of those in the order', () => {
    const present = new Set(sources.flatMap((path) => moduleOf(path) ?? []))
    expect(present.size).toBeGreaterThan(5)
    expect([...present].filter((name) => !order.includes(name))).toEqual([])
  })

  test('decides in rules, which know the contract, the clock, tables of states and each other', () => {
    expect(
      broken(
        ofKind('rules'),
        (found) =>
          isContract(found) ||
          ['src/server/clock.ts', 'src/server/life.ts'].includes(found.to) ||
          isOwn(found, 'rules', 'plain') ||
          // What a gateway may answer, or a module contribute, is part of what is decided on.
          ((isPort(found) || isContribution(found)) && found.types),
      ),
    ).toEqual([])
  })

  test('keeps its SQL in stores, which know the database and their own rules', () => {
    expect(
      broken(
        ofKind('store'),
        (found) =>
          (isContract(found) && (found.types || isLight(found.to))) ||
          found.to === 'kysely' ||
          found.to.startsWith('src/server/db/') ||
          isOwn(found, 'rules', 'store'),
      ),
    ).toEqual([])
    const others = sources.filter((path) => inModule.test(path) && kindOf(path) !== 'store')
    expect(others.length).toBeGreaterThan(20)
    expect(
      linesWith(others, /\b(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql[`<.]/),
    ).toEqual([])
  })

  test('writes to tables that no other module writes to', () => {
    expect(writers.size).toBeGreaterThan(10)
    const shared = [...writers].filter(([, modules]) => modules.size > 1)
    expect(shared.map(([table, modules]) => `${table} is written by ${[...modules].join(' and ')}`)).toEqual(
      [],
    )
  })

  test('reads its own tables and those of earlier modules', () => {
    const tables = new Set(
      [...read('src/server/db/schema.gen.ts').matchAll(/^ {2}'([\w.]+)': \{/gm)].map(([, name]) => name),
    )
    const reads = stores.flatMap((path) =>
      tablesIn(
        path,
        /(?:selectFrom|[jJ]oin|from|using)\(\s*\[?\s*'([\w.]+)|(?:\b(?:from|join|using)|,)\s+(?:only |lateral )?([a-z_.]+)(?= [a-z]|[\s)])/g,
      )
        .filter((table) => tables.has(table))
        .map((table) => ({ path, table })),
    )
    expect(tables.size).toBeGreaterThan(90)
    expect(reads.length).toBeGreaterThan(500)
    const isLater = ({ path, table }: { path: string; table: string }) =>
      [...(writers.get(table) ?? [])].some(
        (owner) => order.indexOf(owner) > order.indexOf(moduleOf(path) ?? ''),
      )
    expect(reads.filter(isLater).map(({ path, table }) => `${path} reads ${table}`)).toEqual([])
    // What the product keeps for a gateway belongs to no module.
    expect(reads.filter(({ table }) => /^(sandbox|stripe)_gateway\./.test(table))).toEqual([])
  })

  test('turns rows into answers in mappers, which load nothing of others', () => {
    expect(
      broken(
        ofKind('mapper'),
        (found) =>
          isContract(found) ||
          isOwn(found, 'rules', 'store', 'mapper') ||
          (found.types && (isEarlier(found) || isContribution(found) || found.to === 'zod')),
      ),
    ).toEqual([])
  })

  test('speaks HTTP in routes, which know their own use cases', () => {
    expect(
      broken(
        ofKind('routes'),
        (found) =>
          isContract(found) ||
          found.to.startsWith('src/server/http/') ||
          found.to === 'src/server/json-text.ts' ||
          isOwn(found, 'service', 'pages', 'plain'),
      ),
    ).toEqual([])
  })

  test('declares its jobs, which know the queue alone', () => {
    expect(broken(ofKind('jobs'), ({ to }) => to === 'src/server/jobs/queue.ts')).toEqual([])
  })

  test('declares itself on its own parts and the services of earlier modules', () => {
    expect(
      broken(
        ofKind('module'),
        (found) =>
          ['module', 'clock', 'http/sliding-limit'].some((name) => found.to === `src/server/${name}.ts`) ||
          isOwn(found) ||
          (isEarlier(found) && found.types),
      ),
    ).toEqual([])
    const declared = sources.filter((path) => kindOf(path) === 'module').map(moduleOf)
    expect(declared.toSorted()).toEqual(order.toSorted())
  })

  test('serves what lies outside the contract in pages', () => {
    expect(
      broken(
        ofKind('pages'),
        (found) =>
          found.package ||
          isContract(found) ||
          isPort(found) ||
          found.to.startsWith('src/server/http/') ||
          found.to.startsWith('src/server/uploads/') ||
          smallRoot.includes(found.to) ||
          isOwn(found, 'service', 'plain'),
      ),
    ).toEqual([])
  })

  test('limits actions by counts that the mechanism of http keeps', () => {
    expect(
      broken(ofKind('limits'), ({ to }) => ['src/server/clock.ts', 'src/server/http/limits.ts'].includes(to)),
    ).toEqual([])
  })

  test('carries out use cases on services of earlier modules, ports and jobs', () => {
    expect(
      broken(
        /^src\/server\/modules\/(?:[^/]+\/)+([^/.]+|[^/]+\.service|[^/]+\.(?!routes|rules|store|mapper|jobs|limits|module|pages|service)[a-z-]+)\.ts$/,
        (found) =>
          (found.package && found.to !== 'fastify') ||
          isContract(found) ||
          rootFiles.includes(found.to) ||
          ['src/server/db/connection.ts', 'src/server/db/transaction.ts'].includes(found.to) ||
          isContribution(found) ||
          ['src/server/http/caller.ts', 'src/server/http/limits.ts', 'src/server/http/policies.ts'].includes(
            found.to,
          ) ||
          found.to.startsWith('src/server/jobs/') ||
          isPort(found) ||
          isMailText(found) ||
          found.to.startsWith('src/server/uploads/') ||
          isOwn(found, 'service', 'rules', 'store', 'mapper', 'limits', 'jobs', 'plain') ||
          (isEarlier(found) && (['service', 'limits'].includes(kindOf(found.to)) || found.types)),
      ),
    ).toEqual([])
  })

  test('serves the calls of the contract in its own file or folder, and no others', () => {
    const keysOf = (path: string, pattern: RegExp) =>
      [...read(path).matchAll(pattern)].map(([, key = '']) => key)
    const declared = sources
      .filter((path) => path.startsWith('src/contract/'))
      .flatMap((path) =>
        keysOf(path, /^ {2}'([A-Z]+ \/[^']*)':/gm).map(
          (key) => [key, path.split('/')[2]?.replace(/\.ts$/, '')] as const,
        ),
      )
    const served = sources
      .filter((path) => kindOf(path) === 'routes')
      .flatMap((path) => keysOf(path, /'([A-Z]+ \/[^']*)'/g).map((key) => [key, moduleOf(path)] as const))
    expect(declared.length).toBeGreaterThan(200)
    const once = (pairs: (readonly [string, string | undefined])[]) =>
      [...new Set(pairs.map((pair) => pair.join(' by ')))].toSorted()
    expect(once(served)).toEqual(once(declared))
  })

  test('knows a later module not even by its types', () => {
    expect(
      broken(inModule, (found) => moduleOf(found.to) === undefined || isOwn(found) || isEarlier(found)),
    ).toEqual([])
  })
})

/** Files of modules that fill the demo as the product would have. */
const usedBySeed = new Set([
  'src/server/modules/accounts/passwords.ts',
  'src/server/modules/availability/zone.ts',
  'src/server/modules/chat/chat.encryption.ts',
  'src/server/modules/payments/payments.rules.ts',
  'src/server/modules/reviews/reviews.rules.ts',
  'src/server/modules/series/series.terms.ts',
  'src/server/modules/waitlist/turns.ts',
])

describe('the rest of the server', () => {
  test('an integration knows the contract, its own port and small files of the root', () => {
    expect(
      broken(
        /^src\/server\/integrations\//,
        (found) =>
          found.package ||
          found.to.startsWith('src/contract/') ||
          dirname(found.to) === dirname(found.from) ||
          smallRoot.includes(found.to) ||
          // A gateway keeps in the product's database what it has to find again; the sandbox, all its books.
          (/\/payment-gateway\/(sandbox|stripe|stripe-books)\.ts$/.test(found.from) &&
            found.to === 'src/server/db/connection.ts'),
      ),
    ).toEqual([])
  })

  test('http, db and jobs know no module', () => {
    expect(
      broken(
        /^src\/server\/(http|db|jobs)\//,
        ({ from, to }) =>
          moduleOf(to) === undefined ||
          // Demo rows are made as the product makes them: hashed passwords, entries of the ledger, encrypted messages, turns.
          (from.startsWith('src/server/db/seed/') && usedBySeed.has(to)),
      ),
    ).toEqual([])
  })

  test('is alone with the pages where it renders them', () => {
    expect(
      broken(
        /^src\/server\//,
        ({ from, to }) =>
          !to.startsWith('src/web/') ||
          (/^src\/server\/(http\/(web|page-headers)|adapters\/gateway)\.ts$/.test(from) &&
            to === 'src/web/lib/server-context.ts'),
      ),
    ).toEqual([])
  })

  test('reads the environment where it starts, and nowhere else', () => {
    const readers = [
      // Hand it to config.ts.
      'src/server/main.ts',
      'src/server/commands/command.ts',
      'src/server/config.ts',
      // Sets NODE_ENV before React is loaded.
      'src/server/production.ts',
      // Passes it on to the tool that builds the pages.
      'src/server/web-build.ts',
    ]
    const lines = linesWith(sources, /process\.env/)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.filter((line) => !readers.includes(line.split(':')[0] ?? ''))).toEqual([])
  })
})

describe('every file', () => {
  test('is imported in one direction only, by its types too', () => {
    const targets = new Map(sources.map((path) => [path, new Set<string>()]))
    for (const { from, to } of imports) if (targets.has(to)) targets.get(from)?.add(to)
    // What imports nothing that is left is in no circle.
    for (let before = 0; before !== targets.size; ) {
      before = targets.size
      for (const [path, imported] of targets) {
        if (![...imported].some((each) => targets.has(each))) targets.delete(path)
      }
    }
    expect([...targets.keys()]).toEqual([])
  })

  test('is at most 400 lines long, unless a reason is given here', () => {
    const reasons: Record<string, string> = {
      'src/contract/practitioners/onboarding.ts': 'a call for each step of the wizard',
      'src/server/config.ts': 'one declared table of settings',
      'src/server/db/migrations/0001_foundation.sql': 'released migrations are not edited',
      'src/server/db/seed/demo/origins.ts': 'data',
      'src/server/db/seed/reference/timezones.ts': 'data',
      'src/server/development/mail-previews.ts': 'one example of each mail',
      'src/server/modules/bookings/mails/bookings.mails.ts':
        'the texts of one family of mails, with their parts',
      'src/server/modules/practitioners/onboarding/onboarding.service.ts':
        'a call for each step of the wizard',
      'test/fuzz-requests.ts': 'one generator of requests',
    }
    const lines = (path: string) => read(path).split('\n').length - 1
    const long = globSync('{src,test,e2e,bench,scripts}/**/*.{ts,tsx,js,css,sql}', { cwd: root }).filter(
      (path) => !/\.gen\.ts$|\/generated\//.test(path) && lines(path) > 400,
    )
    // The cases of one subject share a set-up, which a second file would pay for again.
    const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path)
    const unexplained = long.filter((path) => !reasons[path] && !isTest(path))
    expect(
      unexplained.map((path) => `${path}: ${lines(path)} lines`),
      'Move a subject to a file of its own, as practitioners.standing.ts has what its service spreads in.',
    ).toEqual([])
    expect(Object.keys(reasons).filter((path) => !long.includes(path))).toEqual([])
  })

  test('that sets the product up is at most 180 lines long: what it does stands elsewhere', () => {
    expect(read('src/server/app.ts').split('\n').length - 1).toBeLessThanOrEqual(180)
  })

  test('shares its folder with another', () => {
    const all = globSync('{src,test,e2e,bench,scripts}/**/*', { cwd: root, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/[\\/](samples|generated)$/.test(entry.parentPath))
      .map((entry) => entry.parentPath)
    const alone = [...new Set(all)].filter(
      (folder) => all.filter((each) => each.startsWith(folder)).length === 1,
    )
    expect(all.length).toBeGreaterThan(1000)
    expect(alone).toEqual([])
  })

  test('of the product knows nothing of tests and benchmarks', () => {
    expect(
      broken(
        /^src\//,
        ({ to }) => !/^(test|bench|e2e)\//.test(to) && !/\.test\.tsx?$/.test(to) && to !== 'vitest',
      ),
    ).toEqual([])
  })

  test('uses private parts of libraries in the folders for them alone', () => {
    const inFolder = (path: string) => /^src\/(server|web)\/library-internals\//.test(path)
    const known =
      /\b__(?!html\b)[a-z]\w+|\bparsedStatements\b|\bprocessID\b|\bwriteBuffer\b|\.connection\.stream\b/
    expect(linesWith(sources.filter(inFolder), known).length).toBeGreaterThan(3)
    expect(
      linesWith(
        sources.filter((path) => !inFolder(path)),
        known,
      ),
    ).toEqual([])
    const deep = /from '(?![.#])[^']+\/(dist|lib|src|build|esm|cjs)\/[^']*'/g
    expect(
      files.flatMap(
        (path) =>
          read(path)
            .match(deep)
            ?.map((found) => `${path}: ${found}`) ?? [],
      ),
    ).toEqual([])
  })

  test('exports by name, save where a framework asks for a default', () => {
    // `React.lazy` loads the default export, and so does what is made of it.
    const lazy = new Set(
      sources.flatMap((path) => {
        const loads = /(?:lazy|lazyPart|latePart|lateDialog)\(\(\) => (?:\{[^}]*return )?import\('([^']+)'\)/g
        const names = [...read(path).matchAll(loads)].map(([, name = '']) => name)
        return names.map((name) =>
          name.startsWith('.')
            ? normalize(join(dirname(path), name)).replaceAll('\\', '/')
            : (aliased(name) ?? name),
        )
      }),
    )
    const asked = /^src\/web\/(routes\/.*|root|routes|entry\.(client|server))\.tsx?$/
    const others = sources.filter((path) => !asked.test(path) && !lazy.has(path))
    expect(others.length).toBeGreaterThan(100)
    expect(linesWith(others, /\bexport default\b|\bas default\b/)).toEqual([])
  })

  test('exports what it defines: there are no barrels', () => {
    expect(files.filter((path) => /(^|\/)index\.tsx?$/.test(path))).toEqual([])
    expect(linesWith(sources, /^\s*export\s+(\*|\{[^}]*\}\s+from)/)).toEqual([])
  })

  test('says what its values are: there is no any', () => {
    expect(linesWith(files, /(:|\bas|<|,|\||=>)\s*any\b(?!\s+\w)|\bany\[\]/)).toEqual([])
  })

  test('holds no enum, namespace or parameter property, which cannot be stripped', () => {
    const typescript = sources.filter((path) => path.endsWith('.ts'))
    expect(
      linesWith(
        typescript,
        /^\s*(export\s+)?(const\s+)?(enum|namespace)\s+\w|constructor\([^)]*\b(private|public|readonly)\s/,
      ),
    ).toEqual([])
  })
})

describe('docs/dependencies.md', () => {
  type Manifest = Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>
  const manifest = JSON.parse(read('package.json')) as Manifest
  const wanted = Object.entries({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  })
  const listed = new Map(
    [...read('docs/dependencies.md').matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]{20,}) \|$/gm)].map(
      ([, name = '', licence = '', reason = '']) => [
        name,
        { licence: licence.trim(), reason: reason.trim() },
      ],
    ),
  )

  test('gives a licence and a reason for every dependency, and for no others', () => {
    expect(wanted.length).toBeGreaterThan(30)
    expect([...listed.keys()].toSorted()).toEqual(wanted.map(([name]) => name).toSorted())
  })

  test('keeps every dependency on the shelf of its use', () => {
    const shelves = new Map(
      read('docs/dependencies.md')
        .split(/^## /m)
        .slice(1)
        .map((shelf) => [
          shelf.slice(0, shelf.indexOf('\n')),
          [...shelf.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name),
        ]),
    )
    const onShelf = (name: string) => shelves.get(name) ?? []
    for (const [name, names] of shelves) expect([name, names]).toEqual([name, names.toSorted()])
    expect(shelves.size).toBe(4)
    expect(
      [
        ...onShelf('In the running product'),
        ...onShelf('For a start: the pages and the demo directory'),
      ].toSorted(),
    ).toEqual(Object.keys(manifest.dependencies).toSorted())
    expect(onShelf('Node itself')).toEqual(Object.keys(manifest.optionalDependencies).toSorted())
    expect(onShelf('For checking and testing')).toEqual(Object.keys(manifest.devDependencies).toSorted())
    // What only a start needs is imported by no file that answers requests.
    const running = imports.filter(
      ({ from, types }) => !types && /^src\/server\/(http|modules|integrations|jobs)\//.test(from),
    )
    const needed = onShelf('For a start: the pages and the demo directory')
    expect(
      running.filter(({ from, to }) => needed.includes(to) && from !== 'src/server/http/web.ts'),
    ).toEqual([])
  })

  test('is right about the licences, which go with MIT', () => {
    const compatible = [
      'MIT',
      'MIT-0',
      'Apache-2.0',
      'MIT OR Apache-2.0',
      'ISC',
      'Unlicense',
      'CC0-1.0',
      'OFL-1.1',
      'MPL-2.0',
    ]
    let checked = 0
    for (const [name, { licence }] of listed) {
      expect(compatible, name).toContain(licence)
      const path = `node_modules/${name}/package.json`
      // Another machine's Node is not installed on this one.
      if (!existsSync(join(root, path))) continue
      const { license } = JSON.parse(read(path)) as { license?: string }
      // One names its licence in a file alone.
      if (license === undefined)
        expect(read(`node_modules/${name}/LICENSE`), name).toContain('Apache License')
      else expect([name, license]).toEqual([name, licence])
      checked++
    }
    expect(checked).toBeGreaterThan(30)
  })

  test('stands beside exact versions', () => {
    expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })
})
