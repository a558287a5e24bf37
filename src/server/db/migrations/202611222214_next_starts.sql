-- The next free starts of each format, as cards show them: [{ starts_at, appointment_type, service_id }].
-- Null: unknown, to be computed when it is read.
alter table practitioner_search add column next_starts jsonb, add column starts_revision int not null default 0;

-- The previous release updates the other free columns and leaves these two alone. What it leaves would name a start
-- that is booked, so it becomes unknown. Goes with the contraction.
create function forget_next_starts() returns trigger language plpgsql as $$
begin
  new.next_starts := null;
  return new;
end $$;
create trigger practitioner_search_starts before update on practitioner_search
  for each row when (new.starts_revision = old.starts_revision) execute function forget_next_starts();
