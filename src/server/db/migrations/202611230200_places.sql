-- Where a place lies as the public sees it: the outward code, the district's name, and how the point was found. Null: to be
-- looked up.
alter table locations
  add column outward_code text,
  add column district_name text,
  add column point_source text,
  add column show_street boolean not null default false,
  add column lookup_revision int not null default 0,
  add constraint locations_point_source check (point_source in ('postcode', 'town')) not valid;
alter table locations validate constraint locations_point_source;

-- Cells of 0.02 degrees that a practitioner's places lie in, and the points and districts that the public sees:
-- [{ latitude, longitude, district }]. Null: to be computed by the job that refreshes search rows.
alter table practitioner_search add column places int[], add column place_points jsonb;

-- The previous release edits an address without its district, and rewrites a search row without its places. Both become
-- unknown. Goes with the contraction.
create function forget_district() returns trigger language plpgsql as $$
begin
  new.outward_code := null;
  new.district_name := null;
  new.point_source := null;
  return new;
end $$;
create trigger locations_district before update on locations for each row
  when (new.lookup_revision = old.lookup_revision
    and (new.postal_code, new.city) is distinct from (old.postal_code, old.city))
  execute function forget_district();

create function forget_places() returns trigger language plpgsql as $$
begin
  update practitioner_search
  set places = null, place_points = null, starts_revision = starts_revision + 1
  where practitioner_id = new.practitioner_id and places is not null;
  return null;
end $$;
create trigger locations_places after insert or update on locations for each row execute function forget_places();
