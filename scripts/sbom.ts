// Writes what the product is made of as CycloneDX 1.6 JSON (https://cyclonedx.org), from the lockfile. npm's own command
// leaves out libraries that tools for building need as well.
import { readFileSync } from 'node:fs'
import { bundledPackages } from './licences.ts'

const { name, version }: { name: string; version: string } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)

const components = bundledPackages().map((each) => {
  const purl = `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`
  const [first = '', second] = each.name.split('/')
  return {
    type: 'library',
    'bom-ref': purl,
    ...(second === undefined ? { name: first } : { group: first, name: second }),
    version: each.version,
    purl,
    licenses: [{ expression: each.licence.replaceAll(', ', ' AND ') }],
    ...(each.integrity
      ? {
          hashes: [
            {
              alg: 'SHA-512',
              content: Buffer.from(each.integrity.replace('sha512-', ''), 'base64').toString('hex'),
            },
          ],
        }
      : {}),
  }
})

console.log(
  JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: { type: 'application', 'bom-ref': `${name}@${version}`, name, version } },
      components,
    },
    null,
    2,
  ),
)
