/** The page of the reference. @param files the path below which its files are */
export function referencePage(files: string): string {
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Calls of Hearth</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="${files}/swagger-ui.css">
</head>
<body>
<main id="reference"></main>
<noscript><p>This page needs JavaScript. The description that it shows: <a href="/api/v7/openapi.json">openapi.json</a>.</p></noscript>
<script src="${files}/swagger-ui-bundle.js" defer></script>
<script src="${files}/start.js" defer></script>
</body>
</html>
`
}

type PolicyFactory = {
  createPolicy(name: string, rules: { createHTML(markup: string): string }): unknown
}
type List<T> = { filter(test: (each: T) => boolean): List<T>; size: number }
type Call = { get(name: string): string; getIn(path: string[]): string | undefined }
type Tag = { get(name: 'operations'): List<Call>; set(name: 'operations', calls: List<Call>): Tag }
type Tags = { map(change: (tag: Tag) => Tag): Tags; filter(test: (tag: Tag) => boolean): Tags }
type Browser = {
  innerWidth: number
  trustedTypes?: PolicyFactory
  SwaggerUIBundle(options: object): unknown
}

/** Runs in the browser, from its own source text: it can refer to nothing outside itself. */
function start(): void {
  const { trustedTypes, innerWidth, SwaggerUIBundle } = globalThis as unknown as Browser
  // Elements that Markdown becomes, without attributes, and no other markup.
  trustedTypes?.createPolicy('default', {
    createHTML: (markup) => (/^(?:[^<]|<\/?(?:p|code|em|strong|ul|ol|li)>)*$/.test(markup) ? markup : ''),
  })

  /** The calls whose method, path, name, summary or tag holds every word that was typed. */
  const findCalls = (tags: Tags, typed: string) => {
    const words = typed.toLowerCase().split(/\s+/)
    const isMeant = (call: Call) => {
      const name = call.getIn(['operation', 'operationId'])
      const summary = call.getIn(['operation', 'summary'])
      const tags = call.getIn(['operation', 'tags'])
      const text = [call.get('method'), call.get('path'), name, summary, tags].join(' ').toLowerCase()
      return words.every((word) => text.includes(word))
    }
    return tags
      .map((tag) => tag.set('operations', tag.get('operations').filter(isMeant)))
      .filter((tag) => tag.get('operations').size > 0)
  }

  SwaggerUIBundle({
    dom_id: '#reference',
    url: '/api/v7/openapi.json',
    validatorUrl: null,
    deepLinking: true,
    // There is room for them beside the summaries.
    displayOperationId: innerWidth >= 800,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    filter: true,
    tagsSorter: 'alpha',
    plugins: [() => ({ fn: { opsFilter: findCalls } })],
  })
}

export const referenceScript = `(${start.toString()})()\n`
