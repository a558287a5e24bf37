/**
 * The address of the sign-in provider's script, as the server has written it into the head of the page. Every page asks for
 * it; `google-identity.ts` is for those that load the script.
 */
export function identityScript(): string | undefined {
  return typeof document === 'undefined'
    ? undefined
    : document.querySelector<HTMLMetaElement>('meta[name="identity-script"]')?.content
}
