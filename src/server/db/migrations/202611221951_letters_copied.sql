-- `account_letters` and `vetting_letters` are copied to `outgoing_mails`. A letter is deleted once it is sent, in both
-- forms. `account_letters` is kept in step in both directions, because the release before withdraws letters there.
create view letters_as_outgoing as
  select l.id, 'account.' || l.kind as template, 'account' as subject_type, l.account_id::text as subject_id,
    case l.kind when 'change_email' then 'new address' else 'old address' end as recipient,
    case when l.kind <> 'account_deleted' then l.account_id end as account_id,
    'account.' || l.kind || ' ' || l.id as dedupe_key,
    jsonb_build_object('email', l.email, 'first_name', l.first_name) as data, l.created_at
  from account_letters l
  union all
  select l.id, 'vetting.' || l.kind, 'practitioner', l.practitioner_id::text, 'practitioner', p.account_id,
    'vetting.' || l.kind || ' ' || l.id,
    jsonb_strip_nulls(jsonb_build_object('fact', l.fact, 'reason', l.reason, 'expires_on', l.expires_on)), l.created_at
  from vetting_letters l join practitioners p on p.id = l.practitioner_id;
create function copy_letter() returns trigger language plpgsql as $$
begin
  insert into outgoing_mails (id, template, subject_type, subject_id, recipient, account_id, dedupe_key, data, created_at)
    select * from letters_as_outgoing where id = new.id
  on conflict do nothing;
  return null;
end $$;
create function copy_mail_to_account_letters() returns trigger language plpgsql as $$
begin
  insert into account_letters (id, account_id, kind, email, first_name, created_at)
    values (new.id, new.subject_id::uuid, substr(new.template, 9), new.data ->> 'email', new.data ->> 'first_name',
      new.created_at)
  on conflict do nothing;
  return null;
end $$;
create function delete_letter() returns trigger language plpgsql as $$
begin
  delete from account_letters where id = old.id;
  delete from vetting_letters where id = old.id;
  return null;
end $$;
create trigger account_letters_copied after insert on account_letters for each row execute function copy_letter();
create trigger account_letters_deleted after delete on account_letters
  for each row execute function delete_outgoing_mail();
create trigger vetting_letters_copied after insert on vetting_letters for each row execute function copy_letter();
create trigger vetting_letters_deleted after delete on vetting_letters
  for each row execute function delete_outgoing_mail();
create trigger outgoing_mails_to_account_letters after insert on outgoing_mails
  for each row when (new.template in
    ('account.change_email', 'account.change_asked', 'account.email_changed', 'account.account_deleted'))
  execute function copy_mail_to_account_letters();
create trigger outgoing_mails_deleted_to_letters after delete on outgoing_mails
  for each row when (old.template like 'account.%' or old.template like 'vetting.%') execute function delete_letter();

insert into outgoing_mails (id, template, subject_type, subject_id, recipient, account_id, dedupe_key, data, created_at)
  select * from letters_as_outgoing
on conflict do nothing;
