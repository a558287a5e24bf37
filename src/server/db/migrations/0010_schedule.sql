-- How a practitioner takes bookings: notice, a pause between sessions, and a schedule that two windows cannot both save.

alter table practitioners
  -- How long before its start a session may still be booked.
  add column notice_minutes int not null default 60 check (notice_minutes between 60 and 10080),
  -- Kept free between two sessions.
  add column pause_minutes int not null default 0 check (pause_minutes between 0 and 60),
  -- Rises by one with every schedule that is saved.
  add column schedule_version int not null default 0;

-- The zone whose clocks it was written by: it means the same local hours when the practitioner moves to another.
alter table time_off add column timezone text not null default 'Europe/London' check (length(timezone) <= 64);

-- A range with the pause after it. Adding minutes to an instant does not depend on any zone, so it is immutable although
-- the operator is not declared so.
create function with_pause(during tstzrange, pause_minutes int) returns tstzrange
  language plpgsql immutable strict parallel safe as $$
begin
  return tstzrange(lower(during), upper(during) + make_interval(mins => pause_minutes));
end $$;

-- Two sessions whose ranges with the pause after each do not overlap lie at least the pause apart, whichever is first: so
-- the constraint that forbids double booking keeps the pause as well.
alter table reservations
  add column pause_minutes int not null default 0 check (pause_minutes between 0 and 60),
  add column blocked tstzrange not null generated always as (with_pause(during, pause_minutes)) stored;
alter table reservations drop constraint reservations_practitioner_overlap,
  add constraint reservations_practitioner_overlap
    exclude using gist (practitioner_id with =, blocked with &&) where (state <> 'released');
