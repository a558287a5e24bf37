-- Calendars of their own: a practitioner's Google Calendar, clients' calendar links, and reminders of sessions.

-- The consent that a practitioner gave. What becomes of it is in calendars.rules.ts.
create table google_calendars (
  id uuid primary key,
  practitioner_id int not null unique references practitioners on delete cascade,
  state text not null check (state in ('connected', 'ended', 'leaving')),
  -- Why it ended without the practitioner saying so here: the grant, or the calendar that sessions go to, was taken away.
  ended_why text check (ended_why in ('revoked', 'removed')),
  -- When it ended, or was disconnected.
  ended_at timestamptz,
  -- Whose it is at Google, and as what they know it.
  subject text not null check (length(subject) between 1 and 255),
  email text not null check (length(email) between 3 and 320),
  -- The calendar, made by us, that sessions are written to.
  calendar_id text not null check (length(calendar_id) between 1 and 1024),
  -- The refresh token, sealed for this row; forgotten once it is good for nothing.
  sealed_grant bytea,
  connected_at timestamptz not null,
  -- As of when the busy times are.
  read_at timestamptz,
  -- When it is next read, or taken leave of.
  due_at timestamptz not null,
  failures int not null default 0,
  check ((state = 'connected') = (ended_at is null)),
  check ((state = 'ended') = (ended_why is not null)),
  check (sealed_grant is not null or state <> 'connected')
);
create index google_calendars_due on google_calendars (due_at) where state in ('connected', 'leaving');

-- What stands in which calendar.
create table calendar_entries (
  appointment_id uuid primary key references appointments on delete cascade,
  calendar uuid not null references google_calendars on delete cascade,
  -- Follows from the session's id, and is another one only after the entry was deleted there by hand.
  event_id text not null,
  -- Of what was written last: somebody who writes by an older one is told so.
  etag text not null,
  written_at timestamptz not null
);
create index calendar_entries_calendar on calendar_entries (calendar);

-- Time that a practitioner is busy according to their own calendar, sessions of ours left out: from when to when, and
-- not a word of why. As of the last reading.
create table busy_elsewhere (
  practitioner_id int not null references practitioners on delete cascade,
  during tstzrange not null check (not isempty(during) and not lower_inf(during) and not upper_inf(during))
);
create index busy_elsewhere_practitioner on busy_elsewhere (practitioner_id);

-- As calendar_feeds, for a client.
create table client_calendar_feeds (
  client_id uuid primary key references clients on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null,
  read_at timestamptz
);

-- A day and an hour before a session.
alter table session_mails drop constraint session_mails_kind_check,
  add constraint session_mails_kind_check
    check (kind in ('booked', 'moved', 'cancelled', 'refunded', 'day_before', 'hour_before'));
create index appointments_ahead on appointments (starts_at) where state = 'confirmed';

alter table notice_choices
  add column session_reminders boolean not null default true,
  alter column unread_mail set default true;
