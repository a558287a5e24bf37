// A store that speaks the part of S3 which the product uses, in a process of its own: objects in a folder, uploads in parts,
// ranges, and a signature (AWS Signature Version 4) that is worked out here anew for each request, whether it comes in a
// header or in the address. Arguments: folder, access key, secret key, region. Its port is the first line it prints.
// `POST /_/fail?times=N` makes the next N requests fail; `POST /_/clock?ahead=N` sets its clock N seconds ahead;
// `POST /_/rights?without=s3:ListBucket` takes rights away from the key, several joined by commas.
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'

const [folder = '', accessKey = '', secretKey = '', region = ''] = process.argv.slice(2)
const uploads = new Map<string, { path: string; parts: Map<number, Buffer> }>()
let failures = 0
let ahead = 0
let withheld: string[] = []

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * What is wrong with a signature in the address, if anything, as the real one says it
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html). It covers the method, the path, all
 * other parameters and the host, and ends by the clock of the store.
 */
function wrongWithAddress(request: IncomingMessage, url: URL): string | undefined {
  const given = (name: string) => url.searchParams.get(`X-Amz-${name}`) ?? ''
  const [key, ...scope] = given('Credential').split('/')
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(given('Date')) ?? []
  const lifetime = Number(given('Expires'))
  const names = given('SignedHeaders').split(';')
  if (
    given('Algorithm') !== 'AWS4-HMAC-SHA256' ||
    key !== accessKey ||
    scope.join('/') !== `${year}${month}${day}/${region}/s3/aws4_request` ||
    !/^\d+$/.test(given('Expires')) ||
    lifetime < 1 ||
    lifetime > 7 * 24 * 3600 ||
    !names.includes('host')
  ) {
    return 'AuthorizationQueryParametersError'
  }
  const begins = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  const now = Date.now() + ahead * 1000
  if (begins > now + 15 * 60_000) return 'AccessDenied'
  if (now >= begins + lifetime * 1000) return 'AccessDenied'
  const signature = signatureOf(request, url, {
    names,
    digest: 'UNSIGNED-PAYLOAD',
    date: given('Date'),
    scope: scope.join('/'),
  })
  return signature === given('Signature') ? undefined : 'SignatureDoesNotMatch'
}

/** Whether the request was signed with our secret key, over what has arrived. */
function isSigned(request: IncomingMessage, url: URL, body: Buffer): boolean {
  const [, key, scope, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
      request.headers.authorization ?? '',
    ) ?? []
  if (key !== accessKey || !scope || !names) return false
  const digest = String(request.headers['x-amz-content-sha256'])
  if (digest !== 'UNSIGNED-PAYLOAD' && digest !== sha256(body)) return false
  const date = String(request.headers['x-amz-date'])
  return signatureOf(request, url, { names: names.split(';'), digest, date, scope }) === signature
}

type Signed = { names: string[]; digest: string; date: string; scope: string }

function signatureOf(request: IncomingMessage, url: URL, { names, digest, date, scope }: Signed): string {
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
  const headers = names.map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
  const asked = [request.method, url.pathname, query, headers.join(''), names.join(';'), digest].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(asked)].join('\n')
  const signing = scope
    .split('/')
    .reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secretKey}`)
  return hmac(signing, toSign).toString('hex')
}

function fail(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

const server = createServer((request, response) => {
  void answer(request, response).catch(() => response.destroy())
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://store')
  const body = await buffer(request)
  if (url.pathname === '/_/fail') {
    failures = Number(url.searchParams.get('times'))
    response.end()
    return
  }
  if (url.pathname === '/_/clock') {
    ahead = Number(url.searchParams.get('ahead'))
    response.end()
    return
  }
  if (url.pathname === '/_/rights') {
    withheld = (url.searchParams.get('without') ?? '').split(',')
    response.end()
    return
  }
  if (failures > 0) {
    failures--
    return fail(response, 503, 'SlowDown')
  }
  if (url.searchParams.has('X-Amz-Signature')) {
    const wrong = wrongWithAddress(request, url)
    if (wrong) return fail(response, wrong === 'AuthorizationQueryParametersError' ? 400 : 403, wrong)
    for (const name of ['content-type', 'content-disposition', 'cache-control']) {
      const asked = url.searchParams.get(`response-${name}`)
      if (asked) response.setHeader(name, asked)
    }
  } else if (!isSigned(request, url, body)) return fail(response, 403, 'SignatureDoesNotMatch')
  const path = join(folder, decodeURIComponent(url.pathname))
  const etag = `"${createHash('md5').update(body).digest('hex')}"`
  const uploadId = url.searchParams.get('uploadId')
  const xml = (text: string) =>
    response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${text}`)

  const right = { PUT: 's3:PutObject', POST: 's3:PutObject', DELETE: 's3:DeleteObject' }[request.method ?? '']
  if (withheld.includes(right ?? 's3:GetObject')) return fail(response, 403, 'AccessDenied')

  if (request.method === 'POST' && url.searchParams.has('uploads')) {
    const id = randomUUID()
    uploads.set(id, { path, parts: new Map() })
    return void xml(
      `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    )
  }
  if (uploadId) {
    const upload = uploads.get(uploadId)
    if (!upload) return fail(response, 404, 'NoSuchUpload')
    if (request.method === 'PUT') {
      upload.parts.set(Number(url.searchParams.get('partNumber')), body)
      return void response.writeHead(200, { etag }).end()
    }
    uploads.delete(uploadId)
    if (request.method === 'DELETE') return void response.writeHead(204).end()
    const parts = [...upload.parts].toSorted(([a], [b]) => a - b).map(([, part]) => part)
    // As the real one has it: every part but the last is of 5 MB at least.
    if (parts.slice(0, -1).some((part) => part.length < 5 * 1024 * 1024))
      return fail(response, 400, 'EntityTooSmall')
    write(path, Buffer.concat(parts))
    return void xml(`<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>`)
  }
  if (request.method === 'PUT') {
    write(path, body)
    return void response.writeHead(200, { etag }).end()
  }
  if (request.method === 'DELETE') {
    rmSync(path, { force: true })
    return void response.writeHead(204).end()
  }
  if (!existsSync(path) || !statSync(path).isFile()) {
    // As the real one has it: who may not list the objects does not learn which of them are missing.
    if (withheld.includes('s3:ListBucket')) return fail(response, 403, 'AccessDenied')
    return fail(response, 404, 'NoSuchKey')
  }
  const whole = readFileSync(path)
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  if (from === undefined) {
    return void response
      .writeHead(200, { 'content-length': whole.length })
      .end(request.method === 'HEAD' ? undefined : whole)
  }
  const part = whole.subarray(Number(from), Number(to) + 1)
  response
    .writeHead(206, {
      'content-length': part.length,
      'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${whole.length}`,
    })
    .end(part)
}

function write(path: string, body: Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, body)
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') process.stdout.write(`${address.port}\n`)
})
