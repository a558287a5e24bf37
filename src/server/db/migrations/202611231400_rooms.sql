-- The private room of an online session.
create table session_rooms (
  appointment_id uuid primary key references appointments on delete cascade,
  -- The start of the session that the room is for: a session that was moved gets a new room.
  starts_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'admitted', 'ended')),
  admitted_at timestamptz,
  ended_at timestamptz,
  ended_by text check (ended_by in ('practitioner', 'system')),
  late_at timestamptz,
  version int not null default 1,
  check ((state = 'ended') = (ended_at is not null)),
  check ((state = 'ended') = (ended_by is not null))
);

-- One device per side. Pages repeat the call every 10 seconds: room on each page keeps that off the index.
create table session_room_seats (
  appointment_id uuid not null references session_rooms on delete cascade,
  side text not null check (side in ('client', 'practitioner')),
  peer_id uuid not null,
  account_id uuid not null references accounts,
  login_session_id uuid not null references login_sessions on delete cascade,
  taken_at timestamptz not null,
  seen_at timestamptz not null,
  left_at timestamptz,
  primary key (appointment_id, side)
) with (fillfactor = 70);
create index session_room_seats_account on session_room_seats (account_id);
create index session_room_seats_login_session on session_room_seats (login_session_id);

-- When each side was in the room. A row says that a side came; its times are forgotten 90 days after the outcome is final.
create table session_attendance (
  appointment_id uuid not null references appointments on delete cascade,
  side text not null check (side in ('client', 'practitioner')),
  first_in timestamptz,
  last_out timestamptz,
  seconds double precision not null default 0 check (seconds >= 0),
  -- Of those, between the session's start and end.
  session_seconds double precision not null default 0 check (session_seconds >= 0),
  primary key (appointment_id, side),
  check ((first_in is null) = (last_out is null))
) with (fillfactor = 70);
create index session_attendance_old on session_attendance (last_out) where last_out is not null;
