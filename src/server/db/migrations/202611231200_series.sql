-- Weekly series: a client and a practitioner keep the same hour, and each date of it is booked by itself.

alter table practitioners
  -- Whether clients may keep an hour by themselves, have to ask first, or cannot.
  add column series_rule text not null default 'open' check (series_rule in ('open', 'ask', 'closed'));

create table session_series (
  id uuid primary key,
  client_id uuid not null references clients,
  practitioner_id int not null references practitioners,
  service_id int not null references services,
  appointment_type text not null check (appointment_type in ('online', 'face_to_face')),
  location_id int references locations,
  -- 1 is Monday.
  weekday int not null check (weekday between 1 and 7),
  start_minute int not null check (start_minute between 0 and 1439),
  duration_minutes int not null check (duration_minutes between 15 and 240),
  every_weeks int not null check (every_weeks in (1, 2, 4)),
  timezone text not null check (length(timezone) <= 64),
  first_on date not null,
  last_on date check (last_on >= first_on - 1),
  -- The last date of the rhythm that was made, or could not be.
  extended_to date,
  fee_pence int not null check (fee_pence between 100 and 100000),
  payment_method_id uuid references payment_methods,
  state text not null check (state in ('proposed', 'active', 'paused', 'ended')),
  paused_cause text check (paused_cause in ('unpaid', 'suspension')),
  paused_until timestamptz,
  proposed_by text not null check (proposed_by in ('client', 'practitioner')),
  proposed_until timestamptz,
  accepted_at timestamptz,
  agreed_at timestamptz,
  terms_version text check (length(terms_version) <= 40),
  -- The first date of a practitioner's proposal, kept until it is answered.
  kept_reservation_id uuid unique references reservations,
  ended_at timestamptz,
  ended_by text check (ended_by in ('client', 'practitioner', 'system')),
  end_cause text check (end_cause in ('declined', 'not_answered', 'by_choice', 'changed', 'price_declined', 'unpaid',
    'suspension', 'closed', 'unlisted', 'account_deleted')),
  end_reason text check (length(end_reason) <= 1000),
  continued_by uuid references session_series on delete set null,
  -- When both were told that no dates are made while the practitioner is not listed.
  unlisted_noted_at timestamptz,
  created_at timestamptz not null,
  check (state = 'proposed' or (state = 'ended' and agreed_at is null)
    or (payment_method_id is not null and agreed_at is not null)),
  check (state <> 'proposed' or proposed_until is not null),
  check ((state = 'paused') = (paused_cause is not null) and (state = 'paused') = (paused_until is not null)),
  check ((state = 'ended') = (ended_at is not null) and (state = 'ended') = (ended_by is not null)),
  check (appointment_type = 'face_to_face' or location_id is null)
);
-- One live series per client, practitioner and hour.
create unique index session_series_live on session_series (client_id, practitioner_id, weekday, start_minute)
  where state <> 'ended';
create index session_series_client on session_series (client_id);
create index session_series_practitioner on session_series (practitioner_id, state);
create index session_series_extended on session_series (extended_to) where state = 'active';
create index session_series_waiting on session_series (id) where state in ('proposed', 'paused');
create index session_series_method on session_series (payment_method_id) where payment_method_id is not null;
create index session_series_location on session_series (location_id) where location_id is not null;
create index session_series_continued on session_series (continued_by) where continued_by is not null;

create table series_dates (
  series_id uuid not null references session_series on delete cascade,
  -- The day in the rhythm, also of a session that was moved.
  on_date date not null,
  appointment_id uuid unique references appointments on delete set null,
  state text not null check (state in ('planned', 'skipped', 'moved', 'conflict', 'released')),
  conflict_cause text check (conflict_cause in ('taken', 'time_off', 'blocked', 'busy_elsewhere', 'own_session', 'past')),
  changed_by text not null check (changed_by in ('client', 'practitioner', 'system')),
  changed_at timestamptz not null,
  primary key (series_id, on_date),
  check ((state = 'conflict') = (conflict_cause is not null))
);

create table series_price_changes (
  id uuid primary key,
  series_id uuid not null references session_series on delete cascade,
  fee_pence int not null check (fee_pence between 100 and 100000),
  from_date date not null,
  asked_at timestamptz not null,
  answer_by timestamptz not null,
  answer text check (answer in ('accepted', 'declined')),
  answered_at timestamptz,
  -- The new price has become the price of the series.
  applied_at timestamptz
);
create unique index series_price_changes_open on series_price_changes (series_id)
  where answer is null or (answer = 'accepted' and applied_at is null);
create index series_price_changes_series on series_price_changes (series_id);
