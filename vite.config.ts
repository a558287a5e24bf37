import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { oldestBrowsers } from './scripts/oldest-browsers.ts'

/** The modules that every page's root imports, by itself or through others. */
const withRoot = new Set<string>()
const isRoot = /src[\\/]web[\\/](root|entry\.client)\.tsx(\?|$)/

/** Our modules that name an icon, by its name. An import of one icon is one of the module that exports all of them. */
const usersOfIcons = new Map<string, Set<string>>()
const iconOf = (id: string) => /icons-react[\\/].*[\\/](Icon\w+)\.mjs$/.exec(id)?.[1]

/** Fills `withRoot` and `usersOfIcons` once the modules of the pages are known. */
const findWithRoot: Plugin = {
  name: 'find-with-root',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  buildEnd() {
    const add = (id: string): void => {
      for (const imported of this.getModuleInfo(id)?.importedIds ?? []) {
        if (withRoot.has(imported) || isRoot.test(imported)) continue
        withRoot.add(imported)
        add(imported)
      }
    }
    for (const id of this.getModuleIds()) {
      if (isRoot.test(id)) add(id)
      if (id.includes('node_modules')) continue
      for (const [icon] of this.getModuleInfo(id)?.code?.matchAll(/\bIcon[A-Z]\w*/g) ?? []) {
        usersOfIcons.set(icon, (usersOfIcons.get(icon) ?? new Set()).add(id))
      }
    }
  },
}

/** What loads modules so that a failure costs little, in the place of Vite's and the framework's own. */
const loadModulesAgain: Plugin = {
  name: 'load-modules-again',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) =>
    name === 'client' && !process.env.WITHOUT_INTERNALS?.split(',').includes('module-loading'),
  resolveId: (id, importer) => {
    if (id === '\0vite/preload-helper.js') return ownModule('module-loading')
    if (id === './routeModules.js' && importer?.includes('react-router')) return ownModule('route-loading')
    return undefined
  },
}

const ownModule = (name: string) =>
  fileURLToPath(new URL(`./src/web/library-internals/${name}.ts`, import.meta.url))

export default defineConfig({
  publicDir: 'src/web/public',
  plugins: [
    tailwindcss(),
    reactRouter(),
    findWithRoot,
    loadModulesAgain,
    // British English falls back to the strings of the kit's en-US.
    { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' },
  ],
  // Bundled, or the server would load six thousand icons one by one.
  ssr: { noExternal: ['@tabler/icons-react'] },
  // Found by the server of development at its start rather than page by page, each time with a reload.
  optimizeDeps: { entries: ['src/web/**/*.{ts,tsx}', '!**/*.test.*'] },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Every page names a hundred files.
            entryFileNames: 'assets/[name]-[hash:7].js',
            chunkFileNames: 'assets/[name]-[hash:7].js',
            codeSplitting: {
              groups: [
                // One chunk, unchanged from release to release, and smaller than its parts.
                {
                  name: 'framework',
                  test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]|library-internals[\\/]route-loading/,
                  priority: 3,
                },
                // What most pages need, rather than a request for every icon. Without what stands on the kit of
                // components or on the library of forms: it would bring that along to pages that open no window
                // and show no form. Without the names of cards and the bank’s check, which few pages show.
                {
                  name: 'common',
                  test: /src[\\/]web[\\/](?!.*(BankCheck|Dialog|BritishEnglish|Form|InfoTip|Menu|Slider|TagGroup)\.tsx|lib[\\/](account-key|api-query|card-names|form|field-limits\.gen|late-part|limits|returned-money|session-instants|stripe|use-action|use-bank-checked|use-late-navigate|use-read-again|use-title|when-it-is)\.ts|features[\\/](accounts|bookings)[\\/]|lib[\\/](chat-session|idempotent-endpoints|live)\.ts|ui[\\/](Card|ErrorAlert|InputLock|LiveRegion|PasswordField|QueryError|Section|SessionClocks|SubmitButton|submitting|TextArea|TextField)\.)|@tabler|vite[\\/]preload-helper/,
                  minShareCount: 12,
                  priority: 2,
                },
                // What comes with the root of every page: by themselves a dozen requests of a few hundred bytes. And what
                // other chunks use of the library of queries alone.
                {
                  name: 'frame',
                  test: (id) => {
                    const icon = iconOf(id)
                    if (icon) return [...(usersOfIcons.get(icon) ?? [])].some((user) => withRoot.has(user))
                    return withRoot.has(id) || /(QueryClientProvider|queryOptions)\.js/.test(id)
                  },
                  priority: 2,
                },
                // Other icons stand with the one module that shows them.
                {
                  name: 'icons',
                  priority: 1,
                  test: (id) => (usersOfIcons.get(iconOf(id) ?? '')?.size ?? 0) > 1,
                },
                // Nine pages in ten read with all of it.
                {
                  name: 'queries',
                  test: /@tanstack[\\/](query-core|react-query)[\\/](?!.*([qQ]ueriesObserver|useQueries)\.js)|src[\\/]web[\\/]lib[\\/](live-data|query)\.ts/,
                  priority: 2,
                },
                // For pages with a form or a dialog, of which each would bring the other along.
                {
                  name: 'fields',
                  test: /src[\\/]web[\\/]ui[\\/](InputLock|submitting|TextArea|TextField)\./,
                  priority: 2,
                },
                // A page with a form needs all of it. Others need the limits of their one field alone.
                { name: 'limits', test: /src[\\/]web[\\/]lib[\\/]limits\.ts/, priority: 3 },
                {
                  name: 'forms',
                  test: /react-hook-form|src[\\/]web[\\/](lib[\\/](form|kept-form)\.ts|ui[\\/](EntryButton|Form|SubmitButton)\.tsx)/,
                  priority: 2,
                },
                // What many pages of signed-in people share, and no page of a visitor needs.
                {
                  name: 'members',
                  test: /src[\\/]web[\\/](features[\\/](accounts|bookings)[\\/]|lib[\\/](chat-session|late-part|live)\.ts|ui[\\/](Card|Dialog|ErrorAlert|LiveRegion|Menu|QueryError|Section|SessionClocks)\.tsx)/,
                  minShareCount: 12,
                  priority: 1,
                },
                // What reads sessions again: with the series, it would bring those to every page of a session.
                {
                  name: 'news',
                  test: /src[\\/]web[\\/]lib[\\/](session-instants|use-read-again)\.ts/,
                },
                // What the pages share on which sessions are kept, changed and paid: a dozen small requests each
                // otherwise. By what stands together, so that no group brings the library of forms to a page without one.
                { name: 'questions', test: /src[\\/]web[\\/]ui[\\/](Action|Confirm)Dialog\.tsx/ },
                {
                  name: 'saved-cards',
                  test: /src[\\/]web[\\/](features[\\/]payments[\\/](CardChoice|use-saved-cards)|ui[\\/]BankCheck|lib[\\/](card-names|use-bank-checked))\.tsx?/,
                },
                {
                  name: 'card-form',
                  test: /src[\\/]web[\\/](features[\\/]payments[\\/](CardForm|use-card-parts)|ui[\\/](AddCardScreen|CardToPay))\.tsx/,
                },
                {
                  name: 'holds',
                  test: /src[\\/]web[\\/]features[\\/]bookings[\\/](OtherHolds|use-held-times)\.tsx?/,
                },
                {
                  name: 'series',
                  test: /src[\\/]web[\\/]features[\\/]series[\\/](series-labels|series-queries|use-live-series)\.ts/,
                },
                {
                  name: 'series-dates',
                  test: /src[\\/]web[\\/](features[\\/]series[\\/](DateRow|HourFields|NewZone|PlannedDates)|lib[\\/]kept-text)\.tsx?/,
                },
                {
                  name: 'waitlist',
                  test: /src[\\/]web[\\/]features[\\/]waitlist[\\/]waitlist-(labels|paths|queries)\.ts/,
                },
                {
                  name: 'profile-steps',
                  test: /src[\\/](contract[\\/]practitioners[\\/]profile-steps|web[\\/]features[\\/]practitioners[\\/]onboarding[\\/](step-drafts|wizard))\.ts/,
                },
                { name: 'leaving', test: /src[\\/]web[\\/]ui[\\/](LeaveWarning|use-leave-question)\.tsx?/ },
                {
                  name: 'session-files',
                  test: /src[\\/]web[\\/](features[\\/]bookings[\\/]SessionAccess|ui[\\/](AbsenceClaim|CalendarFile|FileButton)|lib[\\/]save-file)\.tsx?/,
                },
                {
                  name: 'outcomes',
                  test: /src[\\/]web[\\/]lib[\\/](cancelled-label|returned-money)\.ts/,
                },
              ],
            },
          },
        },
      },
    },
  },
  worker: { format: 'es' },
  build: {
    // Everything that a page needs from us is one file or a font; nothing is inlined, so the policy needs no `data:`.
    assetsInlineLimit: 0,
    target: Object.entries(oldestBrowsers).map(([name, version]) => name + version),
    modulePreload: {
      // Of a module without imports Vite names no file.
      resolveDependencies: (file, dependencies, { hostType }) =>
        hostType === 'js' ? [...new Set([file, ...dependencies])] : dependencies,
    },
  },
})
