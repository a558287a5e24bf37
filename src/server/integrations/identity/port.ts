/** A person's identity from a provider, after its signature was verified. */
export type VerifiedIdentity = {
  issuer: string
  subject: string
  /** Confirmed by the provider to be theirs, or to have been. */
  email: string
  /** Whether the provider vouches that the email is theirs today. */
  ownsEmail: boolean
  firstName: string
  lastName: string
  /** The one that the credential was asked for with; whether it is ours is for the caller to look up. */
  nonce: string
}

/** Why there is nothing to go by: the credential is no good, or the provider could not be asked. */
export type IdentityFailure = { ok: false; why: 'refused' | 'unavailable' }
export type IdentityVerdict = { ok: true; identity: VerifiedIdentity } | IdentityFailure

/** What a way to the provider's pages is known by. All random; `verifier` is that of PKCE (RFC 7636). */
export type IdentityJourney = { redirectUri: string; state: string; nonce: string; verifier: string }

/** An OpenID Connect provider that people sign in by. */
export type IdentityProvider = {
  /** As the button says after 'Continue with'. */
  name: string
  /** Checks an ID token: signature, issuer, audience, times, and that the email is confirmed. Never throws. */
  verify(credential: string): Promise<IdentityVerdict>
  /** The address of the provider's pages to go to. */
  begin(journey: IdentityJourney): Promise<{ ok: true; url: URL } | IdentityFailure>
  /** Trades what the provider sent back in the address for an ID token, which has yet to be verified. */
  finish(
    address: URL,
    journey: IdentityJourney,
  ): Promise<{ ok: true; credential: string } | { ok: false; why: IdentityFailure['why'] | 'cancelled' }>
}
