-- A suspension decides what happens to the sessions ahead: they are cancelled and refunded, or frozen for a while.

create table suspensions (
  id bigint generated always as identity primary key,
  practitioner_id int not null references practitioners on delete cascade,
  cause text not null check (cause in ('conduct', 'identity', 'insurance', 'papers', 'other')),
  -- What the admin chose for the sessions ahead.
  sessions text not null check (sessions in ('cancel', 'freeze')),
  -- Sent to the practitioner, never to a client.
  reason text not null check (length(reason) between 1 and 2000),
  at timestamptz not null,
  ended_at timestamptz check (ended_at >= at)
);
create unique index suspensions_open on suspensions (practitioner_id) where ended_at is null;
create index suspensions_practitioner on suspensions (practitioner_id, at);
alter table suspensions alter column reason set statistics 0;
insert into suspensions (practitioner_id, cause, sessions, reason, at)
  select id, 'other', 'freeze', coalesce(nullif(left(state_reason, 2000), ''), 'Suspended before causes were recorded.'),
    coalesce(state_changed_at, created_at)
  from practitioners where state = 'suspended';

-- A frozen session keeps its state, its time and its reservation. It is cancelled at `frozen_until` unless it was
-- restored before. The three columns stay as a record of a session that was cancelled while frozen.
alter table appointments
  add column frozen_at timestamptz,
  add column frozen_until timestamptz,
  add column frozen_cause text check (frozen_cause in ('suspended', 'vetting_lapsed', 'cover_case')),
  -- Why the system cancelled it, where it was neither the client nor the practitioner.
  add column cancel_code text check (cancel_code in ('practitioner_suspended', 'vetting_lapsed', 'office')),
  add constraint appointments_freeze_whole check (
    (frozen_at is null) = (frozen_until is null) and (frozen_at is null) = (frozen_cause is null)
    and frozen_until >= frozen_at),
  add constraint appointments_freeze_booked check (
    frozen_at is null or state in ('confirmed', 'completed', 'no_show', 'cancelled')),
  add constraint appointments_cancel_code_system check (
    cancel_code is null or (state = 'cancelled' and cancelled_by = 'system'));
create index appointments_frozen on appointments (frozen_until) where state = 'confirmed' and frozen_at is not null;

alter table session_mails drop constraint session_mails_kind_check,
  add constraint session_mails_kind_check check (kind in
    ('booked', 'moved', 'cancelled', 'refunded', 'day_before', 'hour_before', 'frozen', 'restored'));
