-- Whose turn it is to be asked for help right now, and money that stays on its way back.

-- A row for every practitioner, kept apart from theirs, which bookings hold: whoever has not been asked for longest comes
-- first, and is found without looking at everybody.
create table help_turns (
  practitioner_id int primary key references practitioners on delete cascade,
  asked_at timestamptz not null default '-infinity'
);
insert into help_turns
  select p.id, coalesce((select max(o.asked_at) from help_offers o where o.practitioner_id = p.id), '-infinity')
  from practitioners p;
create index help_turns_order on help_turns (asked_at, practitioner_id);

create function take_help_turn() returns trigger language plpgsql as $$
begin
  insert into help_turns (practitioner_id) values (new.id);
  return null;
end $$;
create trigger practitioners_take_help_turn after insert on practitioners
  for each row execute function take_help_turn();

-- Who works online at an hour of the week, and which zones there are.
create index weekly_hours_online on weekly_hours (weekday, hour, practitioner_id) where appointment_type = 'online';
create index practitioners_timezone on practitioners (timezone);

-- Money on its way back that the office has been told of, each once. Nothing of whose it is: so it refers to nothing.
create table late_return_notes (
  appointment_id uuid not null,
  kind text not null check (kind in ('release', 'refund')),
  since timestamptz not null,
  noted_at timestamptz not null,
  primary key (appointment_id, kind, since)
);
create index late_return_notes_noted on late_return_notes (noted_at);
