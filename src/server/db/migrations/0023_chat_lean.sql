-- A message finds what may be in its way in the row of its dialog, which it locks in any case.

-- Who has blocked the other one: nobody can write.
alter table chat_dialogs
  add column client_blocks boolean not null default false,
  add column practitioner_blocks boolean not null default false;
update chat_dialogs d
  set client_blocks = exists (select from chat_members m
      where m.dialog_id = d.id and m.account_id = d.client_id and m.blocked_at is not null),
    practitioner_blocks = exists (select from chat_members m
      where m.dialog_id = d.id and m.account_id <> d.client_id and m.blocked_at is not null)
  where exists (select from chat_members m where m.dialog_id = d.id and m.blocked_at is not null);
-- `chat_members.blocked_at` stays for the release before this one, which reads and writes it.

-- Messages of a minute are counted in the process that takes them.
drop index chat_messages_sender;
