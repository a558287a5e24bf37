-- Who waits for a time with a practitioner, and what was offered to whom. The columns of practitioners and appointments have
-- defaults, so that the release before goes on inserting rows.
alter table practitioners
  add column waitlist text not null default 'open',
  add constraint practitioners_waitlist check (waitlist in ('open', 'closed')) not valid,
  -- How many wait or have an offer, for cards; the waitlist keeps it.
  add column waiting int not null default 0;

-- The offer of the waitlist that the appointment was made for.
alter table appointments add column offer_id uuid;

create table waitlist_entries (
  id uuid primary key,
  client_id uuid not null references clients,
  practitioner_id int not null references practitioners,
  service_id int not null references services,
  appointment_type text not null check (appointment_type in ('online', 'face_to_face')),
  -- A list of { weekdays, from, to }: 1 is Monday, times are minutes of the local day.
  windows jsonb not null check (jsonb_typeof(windows) = 'array'),
  earliest date check (earliest between '1900-01-01' and '2199-12-31'),
  latest date check (latest between '1900-01-01' and '2199-12-31'),
  lead_minutes int not null check (lead_minutes between 60 and 10080),
  timezone text not null,
  swaps_appointment_id uuid references appointments,
  state text not null default 'waiting' check (state in ('waiting', 'offered', 'booked', 'paused', 'ended')),
  paused_by text check (paused_by in ('client', 'misses', 'practitioner')),
  joined_at timestamptz not null,
  misses int not null default 0 check (misses >= 0),
  ends_at timestamptz not null,
  -- When the client was asked whether to go on.
  asked_at timestamptz,
  check ((state = 'paused') = (paused_by is not null))
);
create unique index waitlist_entries_live on waitlist_entries (client_id, practitioner_id)
  where state in ('waiting', 'offered', 'paused');
create index waitlist_entries_order on waitlist_entries (practitioner_id, joined_at)
  where state in ('waiting', 'offered', 'paused');
create index waitlist_entries_end on waitlist_entries (ends_at) where state in ('waiting', 'offered', 'paused');
create trigger waitlist_entries_of_living before insert on waitlist_entries
  for each row execute function refuse_deleted_client();

create table waitlist_offers (
  id uuid primary key,
  entry_id uuid not null references waitlist_entries on delete cascade,
  practitioner_id int not null references practitioners,
  kind text not null check (kind in ('turn', 'broadcast')),
  appointment_id uuid references appointments,
  reservation_id uuid,
  starts_at timestamptz not null,
  -- When the time came free: rounds are counted from then.
  freed_at timestamptz not null,
  round int not null check (round >= 1),
  by_hand boolean not null default false,
  made_at timestamptz not null,
  started_at timestamptz,
  expires_at timestamptz,
  closed_at timestamptz,
  state text not null default 'open' check (state in ('open', 'taken', 'declined', 'expired', 'withdrawn')),
  check ((state = 'open') = (closed_at is null)),
  check ((kind = 'turn') = (appointment_id is not null)),
  check ((kind = 'turn') = (reservation_id is not null))
);
create unique index waitlist_offers_one_turn on waitlist_offers (entry_id) where kind = 'turn' and state = 'open';
create unique index waitlist_offers_one_reservation on waitlist_offers (reservation_id) where kind = 'turn';
create index waitlist_offers_appointment on waitlist_offers (appointment_id);
create index waitlist_offers_start on waitlist_offers (practitioner_id, starts_at);
create index waitlist_offers_entry on waitlist_offers (entry_id);
create index waitlist_offers_unstarted on waitlist_offers (made_at)
  where kind = 'turn' and state = 'open' and started_at is null;

create table waitlist_snapshots (
  practitioner_id int primary key references practitioners on delete cascade,
  digest bytea not null,
  -- Minutes since 1970.
  starts int[] not null,
  taken_at timestamptz not null
);

-- Practitioners whose free time may have grown: when it is to be looked at. Rows are only inserted and deleted, so that
-- bookings of one practitioner do not wait for each other.
create table waitlist_marks (
  id bigint generated always as identity primary key,
  practitioner_id int not null references practitioners on delete cascade,
  due_at timestamptz not null,
  -- Only the times whose offer has just ended.
  is_next_round boolean not null
);
create index waitlist_marks_due on waitlist_marks (due_at);

create table search_wishes (
  id uuid primary key,
  client_id uuid not null references clients,
  sealed_filters bytea not null,
  created_at timestamptz not null,
  looked_at timestamptz,
  last_notified_at timestamptz,
  ends_at timestamptz not null
);
create index search_wishes_client on search_wishes (client_id);
create trigger search_wishes_of_living before insert on search_wishes
  for each row execute function refuse_deleted_client();
