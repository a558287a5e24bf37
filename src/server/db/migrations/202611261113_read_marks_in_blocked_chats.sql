-- Up to which message the other one sees that this member has read, while either has blocked the other. Set by the first
-- block; null where the release before has set it, and the mark is then seen as it moves.
alter table chat_members add column shown_read_seq int;
update chat_members m set shown_read_seq = m.read_seq from chat_dialogs d
  where d.id = m.dialog_id and (d.client_blocks or d.practitioner_blocks);
