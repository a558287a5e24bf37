import { reactRouter } from '@react-router/dev/vite'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  publicDir: 'src/web/public',
  plugins: [
    tailwindcss(),
    reactRouter(),
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
                  test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/,
                  priority: 2,
                },
                // What most pages need, rather than a request for every icon. Without what stands on the kit of
                // components or on the library of forms: it would bring that along to pages that open no window
                // and show no form. Without the names of cards, which the pages of sessions do not show.
                {
                  name: 'common',
                  test: /src[\\/]web[\\/](?!.*(Dialog|BritishEnglish|Form|InfoTip|Menu|Popover|Slider|TagGroup)\.tsx|lib[\\/](account-key|api-query|card-names|form|field-limits\.gen|late-part|limits|use-action)\.ts|features[\\/](accounts|bookings)[\\/]|lib[\\/](chat-session|idempotent-endpoints|live)\.ts|ui[\\/](Card|ErrorAlert|LiveRegion|PasswordField|QueryError|SessionClocks|SubmitButton|TextArea)\.tsx)|@tabler|vite[\\/]preload-helper/,
                  minShareCount: 12,
                  priority: 1,
                },
                // What the root of every page needs, and too little for requests of their own.
                {
                  name: 'frame',
                  test: /src[\\/]web[\\/]lib[\\/](leaving|site-facts|staying)\.ts/,
                  priority: 1,
                },
                // What many pages of signed-in people share, and no page of a visitor needs.
                {
                  name: 'members',
                  test: /src[\\/]web[\\/](features[\\/](accounts|bookings)[\\/]|lib[\\/](chat-session|late-part|live)\.ts|ui[\\/](Card|Dialog|ErrorAlert|LiveRegion|Menu|QueryError|SessionClocks)\.tsx)/,
                  minShareCount: 12,
                  priority: 0,
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
    target: 'es2022',
  },
})
