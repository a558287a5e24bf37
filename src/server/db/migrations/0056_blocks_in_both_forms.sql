-- A block stands in the dialog's row, and for one more release in its member's row too: instances of the release before
-- go on while the new ones start.

-- In the order of a request that blocks.
lock table chat_dialogs in share row exclusive mode;

-- Databases that had 0023 when it dropped the column.
alter table chat_members add column if not exists blocked_at timestamptz;

create function copy_block_to_dialog() returns trigger language plpgsql as $$
begin
  update chat_dialogs d
    set client_blocks = case when new.account_id = d.client_id then new.blocked_at is not null else d.client_blocks end,
      practitioner_blocks = case when new.account_id = d.client_id then d.practitioner_blocks else new.blocked_at is not null end
    where d.id = new.dialog_id
      and case when new.account_id = d.client_id then d.client_blocks else d.practitioner_blocks end
        <> (new.blocked_at is not null);
  return null;
end $$;

create function copy_blocks_to_members() returns trigger language plpgsql as $$
begin
  update chat_members m
    set blocked_at = case when m.blocked_at is null then now() end
    where m.dialog_id = new.id
      and (m.blocked_at is not null)
        <> case when m.account_id = new.client_id then new.client_blocks else new.practitioner_blocks end;
  return null;
end $$;

-- Each form is written only where it differs, so the triggers end with each other. Both lock the dialog first.
create trigger chat_members_block after update of blocked_at on chat_members
  for each row when ((old.blocked_at is null) <> (new.blocked_at is null))
  execute function copy_block_to_dialog();
create trigger chat_dialogs_blocks after update of client_blocks, practitioner_blocks on chat_dialogs
  for each row when (old.client_blocks <> new.client_blocks or old.practitioner_blocks <> new.practitioner_blocks)
  execute function copy_blocks_to_members();

-- What differs now is blocked: in either form somebody asked for it.
update chat_members m set blocked_at = now() from chat_dialogs d
  where d.id = m.dialog_id and m.blocked_at is null
    and case when m.account_id = d.client_id then d.client_blocks else d.practitioner_blocks end;
update chat_dialogs d
  set client_blocks = d.client_blocks or exists (select from chat_members m
      where m.dialog_id = d.id and m.account_id = d.client_id and m.blocked_at is not null),
    practitioner_blocks = d.practitioner_blocks or exists (select from chat_members m
      where m.dialog_id = d.id and m.account_id <> d.client_id and m.blocked_at is not null)
  where exists (select from chat_members m where m.dialog_id = d.id and m.blocked_at is not null);
