-- `chat_unread_mails` holds what a reader was last mailed about, and a claim. For one release it is kept in step with
-- `outgoing_mails`: the mark and the claim of the release before are a row each there, whose keys begin with 'previous'. Both
-- releases lock the reader's row in `chat_unread_mails` to claim, so one of them finds the other's claim.
create function copy_unread_mail() returns trigger language plpgsql as $$
begin
  if new.mailed_at is not null then
    insert into outgoing_mails (id, template, subject_type, subject_id, recipient, account_id, dedupe_key, data, created_at,
        outcome, settled_at)
      values (gen_random_uuid(), 'chat.unread', 'dialog', new.dialog_id::text, new.account_id::text, new.account_id,
        'previous mark ' || new.dialog_id || ' ' || new.account_id, jsonb_build_object('seq', new.mailed_seq),
        new.mailed_at, 'sent', new.mailed_at)
    on conflict (dedupe_key) do update set data = excluded.data, settled_at = excluded.settled_at;
  end if;
  if new.claimed_until is null then
    delete from outgoing_mails where dedupe_key = 'previous claim ' || new.dialog_id || ' ' || new.account_id;
  else
    insert into outgoing_mails (id, template, subject_type, subject_id, recipient, account_id, dedupe_key, created_at,
        claimed_until)
      values (gen_random_uuid(), 'chat.unread', 'dialog', new.dialog_id::text, new.account_id::text, new.account_id,
        'previous claim ' || new.dialog_id || ' ' || new.account_id, new.claimed_until - interval '3 minutes',
        new.claimed_until)
    on conflict (dedupe_key) do update set claimed_until = excluded.claimed_until;
  end if;
  return null;
end $$;
create function copy_mail_to_unread_mails() returns trigger language plpgsql as $$
begin
  insert into chat_unread_mails (dialog_id, account_id) values (new.subject_id::uuid, new.recipient::uuid)
    on conflict do nothing;
  perform from chat_unread_mails
    where dialog_id = new.subject_id::uuid and account_id = new.recipient::uuid for update;
  if exists (select from outgoing_mails
      where dedupe_key = 'previous claim ' || new.subject_id || ' ' || new.recipient
        and claimed_until > coalesce(new.claimed_until - interval '3 minutes', new.settled_at, new.created_at)) then
    -- The caller tries again, and finds the claim.
    if new.claimed_until is not null then
      raise exception 'the release before is sending this mail' using errcode = '40001';
    end if;
    return null;
  end if;
  update chat_unread_mails u
    set claimed_until = case when new.outcome is null
        then coalesce(new.claimed_until, new.created_at + interval '3 minutes') end,
      mailed_seq = case when new.outcome in ('sent', 'refused') then (new.data ->> 'seq')::int else u.mailed_seq end,
      mailed_at = case when new.outcome in ('sent', 'refused') then new.settled_at else u.mailed_at end
    where u.dialog_id = new.subject_id::uuid and u.account_id = new.recipient::uuid;
  return null;
end $$;
-- A statement of the release before, and not the one above.
create trigger chat_unread_mails_copied after insert or update on chat_unread_mails
  for each row when (pg_trigger_depth() = 0) execute function copy_unread_mail();
create trigger outgoing_mails_to_unread after insert or update on outgoing_mails
  for each row when (new.template = 'chat.unread' and new.dedupe_key not like 'previous %')
  execute function copy_mail_to_unread_mails();

insert into outgoing_mails (id, template, subject_type, subject_id, recipient, account_id, dedupe_key, data, created_at,
    outcome, settled_at)
  select gen_random_uuid(), 'chat.unread', 'dialog', dialog_id::text, account_id::text, account_id,
    'previous mark ' || dialog_id || ' ' || account_id, jsonb_build_object('seq', mailed_seq), mailed_at, 'sent', mailed_at
  from chat_unread_mails where mailed_at is not null;
insert into outgoing_mails (id, template, subject_type, subject_id, recipient, account_id, dedupe_key, created_at,
    claimed_until)
  select gen_random_uuid(), 'chat.unread', 'dialog', dialog_id::text, account_id::text, account_id,
    'previous claim ' || dialog_id || ' ' || account_id, claimed_until - interval '3 minutes', claimed_until
  from chat_unread_mails where claimed_until is not null;
