import type { MetaDescriptor } from 'react-router'
import type { SiteFacts } from './server-context.ts'

type PageMeta = {
  title: string
  /** One or two sentences, as a search engine shows them. */
  description: string
  /** What kind of thing the page is about, in the words of the Open Graph protocol. */
  type?: 'website' | 'profile'
  /** schema.org data, without its context. */
  data?: readonly Record<string, unknown>[]
}

/** What a public page says of itself: to the tab, to search engines, and where a link to it is shared. */
export function pageMeta({ title, description, type = 'website', data = [] }: PageMeta): MetaDescriptor[] {
  return [
    { title },
    { name: 'description', content: description },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:type', content: type },
    ...data.map((each) => ({ 'script:ld+json': { '@context': 'https://schema.org', ...each } })),
  ]
}

/** Where one is, as a search engine shows it above a result. Paths are below `origin`. */
export function breadcrumbData(origin: string, items: readonly { name: string; path: string }[]) {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: items.map(({ name, path }, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name,
      item: origin + path,
    })),
  }
}

/** The site's own address, as the root has read it; empty where that failed. */
export const originOf = (matches: Matches): string => factOf(matches, 'origin')

/** Where people write to us, from the root's data. */
export const contactOf = (matches: Matches): string => factOf(matches, 'contactEmail')

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[]

function factOf(matches: Matches, name: 'origin' | 'contactEmail'): string {
  const root = matches.find((match) => match?.id === 'root')?.loaderData as Partial<SiteFacts> | undefined
  return root?.[name] ?? ''
}
