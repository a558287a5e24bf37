-- "Stay signed in on this device": a token in a cookie that starts a new tab's session and does nothing else. It belongs
-- to the sign-ins of one browser by their family, and is kept as SHA-256. A spent one stays until it expires, so that its
-- use later is seen as theft.
create table device_tokens (
  hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  -- Not offered to admins.
  role text not null check (role in ('client', 'therapist')),
  family_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  spent_at timestamptz
);
create index device_tokens_account on device_tokens (account_id);
create index device_tokens_expiry on device_tokens (expires_at);
-- A browser has one that is good.
create unique index device_tokens_good on device_tokens (family_id) where spent_at is null;

-- Counts how often all sign-ins of an account were ended, so that one whose password was being checked then is refused.
alter table accounts add column session_epoch int not null default 0;
