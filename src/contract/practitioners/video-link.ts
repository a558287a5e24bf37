/** Said of a link to any other video, by the wizard and by the server. */
export const videoLinkRefusal =
  'We can only show videos from YouTube. Use a link like https://www.youtube.com/watch?v=… or upload the video itself.'

/**
 * The id of the video that a link names; only YouTube's `watch?v=` links have one, and nothing else is embedded.
 */
export function videoIdOf(link: string | null): string | undefined {
  if (!link || !URL.canParse(link)) return undefined
  const { protocol, hostname, pathname, searchParams } = new URL(link)
  const isYouTube = /^(www\.|m\.)?youtube\.com$/.test(hostname)
  const id = searchParams.get('v') ?? ''
  return protocol === 'https:' && isYouTube && pathname === '/watch' && /^[\w-]{6,20}$/.test(id)
    ? id
    : undefined
}
