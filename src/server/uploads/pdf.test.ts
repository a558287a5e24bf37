import { readFileSync } from 'node:fs'
import { deflateRawSync, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { pdf } from '#test/upload-samples.ts'
import { invoicePdf } from '../modules/subscriptions/pdfs.ts'
import { findPdfFault } from './pdf.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')

/** A PDF whose last object is `object`. */
function pdfWith(...objects: (string | Buffer)[]): Buffer {
  return Buffer.concat([
    latin1('%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n'),
    ...objects.map((object) => (typeof object === 'string' ? latin1(object) : object)),
    latin1('\ntrailer\n<< /Root 1 0 R /Size 9 >>\n%%EOF\n'),
  ])
}

function stream(dictionary: string, data: Buffer): Buffer {
  return Buffer.concat([
    latin1(`9 0 obj\n<< /Length ${data.length} ${dictionary} >>\nstream\n`),
    data,
    latin1('\nendstream\nendobj\n'),
  ])
}

const objectStream = (text: string, packed = deflateSync(latin1(text))) =>
  stream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', packed)

const script = '<< /S /JavaScript /JS (app.alert(1)) >>'

describe('a PDF is refused for', () => {
  test.each<[string, Buffer, string]>([
    ['a script', pdfWith(`8 0 obj\n${script}\nendobj\n`), 'script'],
    ['a script that runs on opening', pdfWith(`8 0 obj\n<< /OpenAction ${script} >>\nendobj\n`), 'script'],
    ['a script whose name is escaped', pdfWith('8 0 obj\n<< /S /J#61va#53cript >>\nendobj\n'), 'script'],
    ['a script without white space', pdfWith('8 0 obj<</S/JavaScript/JS(a)>>endobj\n'), 'script'],
    ['a program that it starts', pdfWith('8 0 obj\n<< /S /Launch /F (a.exe) >>\nendobj\n'), 'script'],
    ['additional actions', pdfWith('8 0 obj\n<< /AA << /O 9 0 R >> >>\nendobj\n'), 'script'],
    ['rich media', pdfWith('8 0 obj\n<< /Subtype /RichMedia >>\nendobj\n'), 'script'],
    ['a form with scripts of its own', pdfWith('8 0 obj\n<< /XFA [9 0 R] >>\nendobj\n'), 'script'],
    ['an attached file', pdfWith('8 0 obj\n<< /Type /EmbeddedFile >>\nendobj\n'), 'attachment'],
    ['attached files', pdfWith('8 0 obj\n<< /Names << /EmbeddedFiles 9 0 R >> >>\nendobj\n'), 'attachment'],
    ['encryption', pdfWith('trailer\n<< /Encrypt 9 0 R >>\n'), 'encrypted'],
    ['a script in an object stream', pdfWith(objectStream(`8 0 ${script}`)), 'script'],
    [
      'an attached file in an object stream',
      pdfWith(objectStream('8 0 << /EmbeddedFile 1 >>')),
      'attachment',
    ],
    ['an escaped script in an object stream', pdfWith(objectStream('8 0 << /S /#4aavaScript >>')), 'script'],
    [
      'a short key in an object stream whose own type is escaped',
      pdfWith(
        stream(
          '/Type /Obj#53tm /N 1 /#46irst 4 /Filter /FlateDecode',
          deflateSync(latin1('8 0 << /JS 1 >>')),
        ),
      ),
      'script',
    ],
    [
      'a script in an object stream without a type',
      pdfWith(stream('/Filter /FlateDecode', deflateSync(latin1(`8 0 ${script}`)))),
      'script',
    ],
    [
      'a script in an object stream with a wrong checksum',
      pdfWith(
        objectStream(
          '',
          Buffer.concat([
            Buffer.from([0x78, 0x9c]),
            deflateRawSync(latin1(`8 0 ${script}`)),
            Buffer.from('wrong'),
          ]),
        ),
      ),
      'script',
    ],
    [
      'a script far into an object stream',
      pdfWith(objectStream(`8 0 << /A (${'long '.repeat(200_000)}) >> ${script}`)),
      'script',
    ],
    [
      'an object stream hidden in the data of another stream',
      pdfWith(stream('', Buffer.concat([latin1('stream\n'), objectStream(`8 0 ${script}`)]))),
      'script',
    ],
    [
      'an object stream that is not packed',
      pdfWith(stream('/Type /ObjStm /First 4', latin1(`8 0 ${script}`))),
      'script',
    ],
    [
      'an object stream packed by other means',
      pdfWith(stream('/Type /ObjStm /First 4 /Filter /ASCIIHexDecode', latin1('00>'))),
      'unusual',
    ],
    ...['(obj)', '%obj\n', '<obj>', '8 0 obj', '(endobj 8 0 obj)'].map((hidden): [string, Buffer, string] => [
      `an object stream packed by other means, with ${JSON.stringify(hidden)} in its dictionary`,
      pdfWith(stream(`/Type /ObjStm /First 4 /Filter /ASCIIHexDecode /X ${hidden}`, latin1('00>'))),
      'unusual',
    ]),
    [
      'an object stream that is damaged, with a word in its dictionary',
      pdfWith(
        stream(
          '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /X (obj)',
          Buffer.from([0x78, 0x9c, 0xff, 0xff, 0xff]),
        ),
      ),
      'unusual',
    ],
    [
      'an object stream packed by other means, without a type and with a word in its dictionary',
      pdfWith(stream('/#4E 1 /First 4 /Filter /ASCIIHexDecode /X (obj)', latin1('00>'))),
      'unusual',
    ],
    [
      'a form with scripts of its own after a comment that names a stream',
      pdfWith('% stream\n8 0 obj\n<< /XFA [9 0 R] >>\nendobj\n'),
      'script',
    ],
    [
      'a form whose scripts are another object, after such a comment',
      pdfWith('% stream\n8 0 obj\n<< /XFA 9 0 R >>\nendobj\n'),
      'script',
    ],
    [
      'an object stream that is damaged',
      pdfWith(objectStream('', Buffer.from([0x78, 0x9c, 0xff, 0xff, 0xff]))),
      'unusual',
    ],
    [
      'a stream packed twice, and said so',
      pdfWith(stream('/Filter [/FlateDecode /FlateDecode]', deflateSync(deflateSync(Buffer.alloc(1000))))),
      'too large',
    ],
    [
      'a stream packed twice, and not said so',
      pdfWith(stream('/Filter /FlateDecode', deflateSync(deflateSync(Buffer.alloc(1_000_000))))),
      'too large',
    ],
    ['a stream of 200 MB', pdf(200_000_000), 'too large'],
    ['its missing end', pdf(100_000).subarray(0, 200), 'cut off'],
  ])('%s', async (_name, bytes, fault) => {
    expect(await findPdfFault(bytes)).toBe(fault)
  })
})

describe('a PDF is taken when it is', () => {
  test('a plain page', async () => {
    expect(await findPdfFault(pdf())).toBeUndefined()
    expect(await findPdfFault(pdf(26_000_000))).toBeUndefined()
  })

  test('one that opens at a page, has links and an outline', async () => {
    const bytes = pdfWith(
      '8 0 obj\n<< /OpenAction [3 0 R /FitH null] /Outlines << /First 4 0 R /Last 4 0 R >> >>\nendobj\n',
      '7 0 obj\n<< /S /URI /URI (https://example.test/AAA/JSON) /Font << /F1 3 0 R >> >>\nendobj\n',
      stream('/Filter /FlateDecode', deflateSync(latin1('BT (the /JS and /AA of a text) Tj ET'))),
      objectStream('8 0 << /Type /Page /Annots [] >>'),
    )
    expect(await findPdfFault(bytes)).toBeUndefined()
  })

  test('one with an outline and fields before a picture whose pixels are predicted', async () => {
    const outline =
      '7 0 obj\n<< /First 8 0 R /Last 8 0 R >>\nendobj\n8 0 obj\n<< /AP << /N 9 0 R >> >>\nendobj\n'
    const picture = stream(
      '/Subtype /Image /Filter /FlateDecode /DecodeParms << /Predictor 15 >>',
      deflateSync(latin1('/JS /AA ')),
    )
    expect(await findPdfFault(pdfWith(outline, picture))).toBeUndefined()
  })

  test('a scan: pictures as they come from a camera and as packed pixels', async () => {
    const noise = sharp({
      create: {
        width: 1500,
        height: 2000,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
    const picture = await noise.clone().jpeg({ quality: 95 }).toBuffer()
    const pixels = await noise.clone().raw().toBuffer()
    const bytes = pdfWith(
      stream('/Subtype /Image /Filter /DCTDecode', picture),
      stream('/Subtype /Image /Filter /FlateDecode /DecodeParms << /Predictor 15 >>', deflateSync(pixels)),
      stream('/Subtype /Image /Filter [/ASCII85Decode /FlateDecode]', latin1('GhQ~>')),
      stream('/Subtype /Image', pixels),
    )
    expect(bytes.length).toBeGreaterThan(15_000_000)
    expect(await findPdfFault(bytes)).toBeUndefined()
  })

  test('written by a library', async () => {
    const pdf = await invoicePdf({
      number: 'HE-2026-000001',
      issuedAt: new Date('2026-06-01T09:00:00Z'),
      seller: 'Hearth, 1 Example Street',
      buyer: 'Mary Okafor',
      description: 'A month of Hearth',
      amountPence: 3000,
      refundedPence: 1000,
      takenBackPence: 0,
      isDisputed: false,
    })
    expect(await findPdfFault(pdf)).toBeUndefined()
  })

  test('printed by a browser', async () => {
    const printed = readFileSync(new URL('../../../test/samples/printed-by-chromium.pdf', import.meta.url))
    expect(await findPdfFault(printed)).toBeUndefined()
  })
})
