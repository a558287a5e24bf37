-- no transaction
-- Rows that were there before are checked while others go on writing. The sweep looks for lapses every minute.
alter table practitioners validate constraint practitioners_state_check;
alter table vetting_letters validate constraint vetting_letters_kind_check;
create index concurrently if not exists practitioners_vetted_until on practitioners (vetted_until)
  where state = 'approved';
