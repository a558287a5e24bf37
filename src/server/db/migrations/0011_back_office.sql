-- The back office: a second factor for admins, letters about vetting, reminders of what expires, and the audit log's
-- subjects by practitioner.

-- Second factor -------------------------------------------------------------------------------------------------------

-- Secrets are sealed with a key that is not in the database.
create table second_factors (
  account_id uuid primary key references accounts on delete cascade,
  -- Null until a code of it has been given once.
  secret bytea,
  confirmed_at timestamptz,
  -- The last time step whose code was used: a code is good once.
  last_step bigint,
  -- Shown to be set up, in the place of the one above or as the first.
  pending_secret bytea,
  check ((secret is null) = (confirmed_at is null)),
  check (secret is not null or pending_secret is not null)
);
create table recovery_codes (
  account_id uuid not null references second_factors on delete cascade,
  -- Keyed, since a code is short enough to be guessed from a plain digest.
  digest bytea not null,
  used_at timestamptz,
  primary key (account_id, digest)
);

-- Vetting -------------------------------------------------------------------------------------------------------------

-- Mails to practitioners about what was decided and what expires. A job names the row, so that no reason is in the
-- queue; the row goes when the mail has gone.
create table vetting_letters (
  id uuid primary key,
  practitioner_id int not null references practitioners on delete cascade,
  kind text not null check (kind in ('approved', 'rejected', 'suspended', 'reinstated', 'fact_accepted', 'fact_refused',
    'expires_soon', 'expired')),
  -- What it is about, in words, such as 'DBS certificate'.
  fact text,
  reason text check (length(reason) <= 2000),
  -- The day the fact expires.
  expires_on date,
  created_at timestamptz not null
);
create index vetting_letters_practitioner on vetting_letters (practitioner_id);
alter table vetting_letters alter column reason set statistics 0;

-- A fact is reminded of once for each number of days before it expires, and told of once when it has.
create table vetting_reminders (
  practitioner_id int not null references practitioners on delete cascade,
  -- The document's or the licence's id.
  fact_id text not null,
  expires_on date not null,
  days_before int not null check (days_before in (30, 7, 1, 0)),
  sent_at timestamptz not null,
  primary key (practitioner_id, fact_id, expires_on, days_before)
);
create index practitioner_documents_expiry on practitioner_documents (expires_on)
  where state = 'accepted' and expires_on is not null;
create index practitioner_licenses_expiry on practitioner_licenses (expires_on)
  where state = 'accepted' and expires_on is not null;

-- Audit log -----------------------------------------------------------------------------------------------------------

-- Whom an entry is about, where it is a practitioner.
alter table audit_log add column practitioner_id int references practitioners;
create index audit_log_practitioner on audit_log (practitioner_id, id) where practitioner_id is not null;
create index audit_log_action on audit_log (action, id);
create index audit_log_actor on audit_log (actor_id, id);
