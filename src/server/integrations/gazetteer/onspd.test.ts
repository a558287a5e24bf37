import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openGazetteer } from './gazetteer.ts'
import { packPostcodes, readLines, versionOf } from './onspd.ts'
import { headerBytes, recordBytes } from './postcode-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postcodes-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Columns of the directory as it is published, by the user guide of the release of August 2024, in their order. */
const names =
  'pcd,pcd2,pcds,dointr,doterm,oscty,ced,oslaua,osward,parish,usertype,oseast1m,osnrth1m,osgrdind,oshlthau,nhser,ctry,rgn,streg,pcon,eer,teclec,ttwa,pct,itl,statsward,oa01,casward,npark,lsoa01,msoa01,ur01ind,oac01,oa11,lsoa11,msoa11,wz11,sicbl,bua24,ru11ind,oac11,lat,long,lep1,lep2,pfa,imd,calncv,icb,oa21,lsoa21,msoa21'

function lineOf(pcds: string, latitude: number, longitude: number, ended = ''): string {
  const values: Record<string, string> = {
    pcd: pcds.replace(' ', '').padEnd(7),
    pcds,
    dointr: '198001',
    doterm: ended,
    oscty: 'a "quoted", name',
    lat: latitude.toFixed(6),
    long: longitude.toFixed(6),
  }
  return names
    .split(',')
    .map((name) =>
      name === 'lat' || name === 'long' ? values[name] : `"${(values[name] ?? '').replaceAll('"', '""')}"`,
    )
    .join(',')
}

const csv = [
  `\uFEFF${names}`,
  lineOf('YO1 7HH', 53.962213, -1.082097),
  lineOf('LS6 2AB', 53.818712, -1.569987),
  lineOf('LS6 3AA', 53.8201, -1.58),
  lineOf('LS6 9ZZ', 53.9, -1.9, '200112'),
  lineOf('BD23 1AA', 53.961, -2.0175),
  lineOf('SW1A 1AA', 51.501009, -0.141588),
  lineOf('BT7 1NN', 54.5844, -5.9343),
  lineOf('GY1 1AA', 99.999999, 0),
].join('\r\n')

/** A zip file as the directory is published in: other files stand before and after it. */
function zipOf(files: [name: string, text: string][]): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, text] of files) {
    const packed = deflateRawSync(text)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt16LE(name.length, 26)
    local.writeUInt16LE(4, 28)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(Buffer.byteLength(text), 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    entries.push(Buffer.concat([entry, Buffer.from(name)]))
    locals.push(Buffer.concat([local, Buffer.from(name), Buffer.alloc(4), packed]))
    offset += 30 + name.length + 4 + packed.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

describe('a directory of postcodes', () => {
  test.each(['csv', 'zip'] as const)('is imported from its %s file', async (kind) => {
    const path = join(folder, `ONSPD_AUG_2026_UK.${kind}`)
    const zipped = zipOf([
      ['User Guide/ONSPD User Guide.csv', 'not this one'],
      ['Data/multi_csv/ONSPD_AUG_2026_UK_LS.csv', 'nor this one'],
      ['Data/ONSPD_AUG_2026_UK.csv', csv],
      ['Documents/names.csv', 'x'.repeat(20_000)],
    ])
    writeFileSync(path, kind === 'zip' ? zipped : csv)
    const { bytes, postcodes } = await packPostcodes(readLines(path), 'AUG_2026')
    expect(postcodes).toBe(5)
    // With the four outward codes.
    expect(bytes.length).toBe(headerBytes + 9 * recordBytes)
    writeFileSync(join(folder, 'postcodes.bin'), bytes)

    const gazetteer = openGazetteer(join(folder, 'postcodes.bin'))
    expect(gazetteer.postcode('ls62ab')).toEqual({ latitude: 53.81871, longitude: -1.56999 })
    expect(gazetteer.postcode('YO1 7HH')).toEqual({ latitude: 53.96221, longitude: -1.0821 })
    const middle = { latitude: 53.81941, longitude: -1.57499 }
    expect(gazetteer.district('LS6')).toEqual({ outward: 'LS6', name: 'Headingley, Leeds', ...middle })
    expect(gazetteer.district('BD23')).toMatchObject({ name: 'Skipton', latitude: 53.961 })
    expect(gazetteer.find('BD23 1AA')).toMatchObject({ place: { label: 'BD23', longitude: -2.0175 } })
    expect(gazetteer.find('SW1A 1AA')).toMatchObject({ place: { label: 'SW1A', latitude: 51.50101 } })
    for (const other of ['LS6 9ZZ', 'BT7 1NN', 'GY1 1AA', 'YO1 7HJ', 'AB1 0AA', 'ZE3 9ZZ', 'YO1']) {
      expect([other, gazetteer.postcode(other)]).toEqual([other, undefined])
    }
  })

  test.each([
    ['has other columns', 'ONSPD.csv', 'postcode,lat,long\nLS6 2AB,53.8,-1.5', 'no column pcds, doterm'],
    ['has no postcode in use', 'ONSPD.csv', csv.split('\r\n').slice(0, 1).join('\n'), 'no postcodes in use'],
    ['is no zip file', 'ONSPD.zip', csv, 'no zip file'],
    ['is a zip file of others', 'ONSPD.zip', zipOf([['a.csv', 'x']]), 'no file ONSPD….csv'],
    ['is cut off', 'ONSPD.zip', '', 'no zip file'],
  ])('is refused where it %s', async (_, name, content, words) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    await expect((async () => packPostcodes(readLines(path), 'x'))()).rejects.toThrow(words)
  })

  test('takes its release from its name', () => {
    expect(versionOf('/data/ONSPD_AUG_2026_UK.zip')).toBe('AUG_2026')
    expect(versionOf('/data/postcodes.csv')).toBeUndefined()
  })
})

test('a file of postcodes is read once it is there, and one of another kind is refused', async () => {
  const path = join(folder, 'postcodes.bin')
  expect(openGazetteer(path).postcode('LS6 2AB')).toBeUndefined()
  writeFileSync(path, 'anything else')
  expect(() => openGazetteer(path).postcode('LS6 2AB')).toThrow('is not a file of postcodes')
  writeFileSync(join(folder, 'onspd.csv'), csv)
  writeFileSync(`${path}.new`, (await packPostcodes(readLines(join(folder, 'onspd.csv')), 'x')).bytes)
  renameSync(`${path}.new`, path)
  expect(openGazetteer(path).postcode('LS6 2AB')).toBeDefined()
})
