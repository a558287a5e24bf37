-- What kept in step the forms that no release reads or writes any more.

-- A block stands in its dialog alone.
drop trigger chat_members_block on chat_members;
drop trigger chat_dialogs_blocks on chat_dialogs;
drop function copy_block_to_dialog, copy_blocks_to_members;
alter table chat_members drop column blocked_at;

-- Every release that runs writes the next starts with the other free times, the district with the address, and the kind
-- of room with the link. The release before this one still counts up `starts_revision` and `lookup_revision`.
drop trigger practitioner_search_starts on practitioner_search;
drop trigger locations_district on locations;
drop trigger practitioners_use_own_room on practitioners;
drop trigger practitioners_begin_with_own_room on practitioners;
drop function forget_next_starts, forget_district, use_own_room;
