// Imported before everything else: React looks at this once, when it is loaded, and is several times slower without it.
process.env.NODE_ENV ??= process.argv.includes('--dev') ? 'development' : 'production'
