/*
 * In the place of Vite's own `preload` for `import()`, whose name and arguments these are (`vite.config.ts`).
 *
 * A module that fails to come once stays failed for as long as the page is open in many a browser, and so does a failed
 * `modulepreload`: to try again would never help. So none is asked for before all its files are in the browser's cache.
 */

/** Files that are here, or on their way. */
const fetched = new Map<string, Promise<void>>()

/**
 * Loads a module.
 * @param files the module's own and those that it imports, as paths from the site's root without the slash
 * @throws TypeError or Error if one of them does not come; the next call tries again
 */
export async function __vitePreload<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  await Promise.all(files.map((file) => fetchOnce(`/${file}`)))
  return load()
}

function fetchOnce(path: string): Promise<void> {
  // The page itself has named it, and loads or has loaded it as a module.
  if (document.querySelector(`link[href="${path}"]`)) return Promise.resolve()
  const known = fetched.get(path)
  if (known) return known
  const fetching = fetchFile(path)
  fetched.set(path, fetching)
  fetching.catch(() => fetched.delete(path))
  return fetching
}

/** Brings a file into the browser's cache, from where it is imported. @throws TypeError or Error if it does not come */
export async function fetchFile(path: string): Promise<void> {
  const response = await fetch(path)
  if (!response.ok) throw new Error('A part of the page did not come.')
  await response.arrayBuffer()
}
