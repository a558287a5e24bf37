-- no transaction
-- Rows that were there before are checked while others go on writing.
alter table practitioners validate constraint practitioners_room_check;
