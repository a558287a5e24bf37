-- Where an account was signed in from, as keyed digests: failed sign-ins from there are counted by themselves, so that a
-- stranger who guesses elsewhere keeps nobody out. A row is forgotten 90 days after its last sign-in.
create table known_addresses (
  account_id uuid not null references accounts on delete cascade,
  digest bytea not null check (length(digest) = 32),
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null check (last_seen_at >= first_seen_at),
  primary key (account_id, digest)
);
create index known_addresses_last_seen on known_addresses (last_seen_at);

-- A link that the operator makes on the server for an admin who cannot use that of a mail.
alter table mail_tokens drop constraint mail_tokens_purpose_check,
  add constraint mail_tokens_purpose_check
    check (purpose in ('password_reset', 'verify_email', 'change_email', 'operator_reset'));
