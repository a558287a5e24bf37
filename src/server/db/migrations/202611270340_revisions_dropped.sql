-- No release counts up these two any more.
create or replace function forget_places() returns trigger language plpgsql as $$
begin
  update practitioner_search set places = null, place_points = null
  where practitioner_id = new.practitioner_id and places is not null;
  return null;
end $$;
alter table practitioner_search drop column starts_revision;
alter table locations drop column lookup_revision;
