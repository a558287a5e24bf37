-- Where a practitioner holds online sessions: in the product's own room, or behind a link of theirs.
alter table practitioners
  add column room text not null default 'hearth',
  add constraint practitioners_room_check check (room in ('hearth', 'own')) not valid;
update practitioners set room = 'own' where meeting_link is not null;

-- The release before knows links alone: one that it stores is where the practitioner's sessions are held. This release
-- stores the kind of room after the link.
create function use_own_room() returns trigger language plpgsql as $$
begin
  new.room := 'own';
  return new;
end $$;
create trigger practitioners_use_own_room before update of meeting_link on practitioners
  for each row when (new.meeting_link is not null and new.meeting_link is distinct from old.meeting_link)
  execute function use_own_room();
create trigger practitioners_begin_with_own_room before insert on practitioners
  for each row when (new.meeting_link is not null) execute function use_own_room();
