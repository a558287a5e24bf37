-- What people are told while they are not looking: what they want, and the browsers that show notices.

-- Absent: everything is on.
create table notice_choices (
  account_id uuid primary key references accounts,
  -- A mail about messages that they have not read.
  unread_mail boolean not null
);

-- A browser that shows notices (Web Push). It ends with the sign-in that it came from.
create table push_subscriptions (
  id uuid primary key,
  login_session_id uuid not null references login_sessions on delete cascade,
  -- At the browser's push service. Whoever signs in last in a browser has it.
  endpoint text not null unique check (length(endpoint) between 10 and 2000),
  -- What notices are encrypted for (RFC 8291): a point on P-256, and 16 random bytes.
  p256dh bytea not null check (length(p256dh) = 65),
  auth bytea not null check (length(auth) = 16),
  created_at timestamptz not null
);
create index push_subscriptions_login_session on push_subscriptions (login_session_id);
