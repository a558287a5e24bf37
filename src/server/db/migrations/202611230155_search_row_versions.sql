-- The transaction that wrote a row, by which an instance finds what others have changed since it last looked.
-- The triggers write it for the previous release too.
alter table practitioner_search add column updated_xid xid8 not null default pg_current_xact_id();
create function note_search_row_version() returns trigger language plpgsql as $$
begin
  new.updated_xid := pg_current_xact_id();
  return new;
end $$;
create trigger practitioner_search_version before update on practitioner_search
  for each row execute function note_search_row_version();

-- Rows that were deleted, for the same purpose. Kept for some hours.
create table practitioner_search_removed (
  practitioner_id int primary key,
  updated_xid xid8 not null,
  removed_at timestamptz not null default now()
);
create index practitioner_search_removed_version on practitioner_search_removed (updated_xid);
create function note_search_row_removal() returns trigger language plpgsql as $$
begin
  insert into practitioner_search_removed (practitioner_id, updated_xid)
  values (old.practitioner_id, pg_current_xact_id())
  on conflict (practitioner_id) do update set updated_xid = excluded.updated_xid, removed_at = excluded.removed_at;
  return null;
end $$;
create trigger practitioner_search_removal after delete on practitioner_search
  for each row execute function note_search_row_removal();

-- The same of a mark. Marks are few, and read without an index.
alter table practitioner_search_marks add column updated_xid xid8 not null default pg_current_xact_id();
