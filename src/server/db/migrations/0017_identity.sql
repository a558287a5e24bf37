-- Signing in by an OpenID provider: whom its subjects stand for, and what a sign-in under way needs.

-- The same person may hold an account of each role, but is nobody else's in either.
create table identities (
  issuer text not null check (length(issuer) between 1 and 300),
  subject text not null check (length(subject) between 1 and 255),
  role text not null check (role in ('client', 'therapist')),
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject, role),
  unique (account_id, issuer)
);
create trigger identities_of_living before insert on identities
  for each row execute function refuse_deleted_account();

-- A credential counts once: the nonce that it names, which we had signed, is kept here once it has been used.
create table identity_nonces (
  hash bytea primary key check (length(hash) = 32),
  expires_at timestamptz not null
);
create index identity_nonces_expiry on identity_nonces (expires_at);

-- The one-time code with which a page fetches the credential that came by way of the provider's own pages.
create table identity_codes (
  hash bytea primary key check (length(hash) = 32),
  -- The browser that set out, by a digest of its cookie.
  browser bytea not null check (length(browser) = 32),
  -- The credential, encrypted.
  sealed bytea not null,
  expires_at timestamptz not null
);
create index identity_codes_expiry on identity_codes (expires_at);
