-- `help_mails` is kept in step with `outgoing_mails` as `session_mails` is.
create view help_mails_as_outgoing as
  select m.id, 'help.' || m.kind as template, case m.kind when 'asked' then 'help-offer' else 'help' end as subject_type,
    coalesce(m.offer_id, m.appointment_id)::text as subject_id,
    case m.kind when 'asked' then 'practitioner' else 'client' end as recipient, r.id as account_id,
    'help.' || m.kind || ' ' || coalesce(m.offer_id, m.appointment_id) as dedupe_key,
    m.created_at, m.claimed_until, m.outcome, m.settled_at
  from help_mails m
    join help_dispatches d on d.appointment_id = m.appointment_id
    left join help_offers o on o.id = m.offer_id
    left join practitioners p on p.id = o.practitioner_id
    left join accounts r on r.id = coalesce(p.account_id, d.client_id) and r.deleted_at is null;
create function copy_help_mail() returns trigger language plpgsql as $$
begin
  insert into outgoing_mails (id, template, subject_type, subject_id, recipient, account_id, dedupe_key, created_at,
      claimed_until, outcome, settled_at)
    select * from help_mails_as_outgoing where id = new.id
  on conflict (id) do update set claimed_until = excluded.claimed_until, outcome = excluded.outcome,
      settled_at = excluded.settled_at
    where (outgoing_mails.claimed_until, outgoing_mails.outcome, outgoing_mails.settled_at)
      is distinct from (excluded.claimed_until, excluded.outcome, excluded.settled_at);
  return null;
end $$;
create function copy_mail_to_help_mails() returns trigger language plpgsql as $$
begin
  insert into help_mails (id, appointment_id, kind, offer_id, created_at, claimed_until, outcome, settled_at)
    select new.id, coalesce(o.appointment_id, new.subject_id::uuid), substr(new.template, 6), o.id, new.created_at,
      new.claimed_until, new.outcome, new.settled_at
    from (select) one left join help_offers o on new.subject_type = 'help-offer' and o.id = new.subject_id::uuid
  on conflict (id) do update set claimed_until = excluded.claimed_until, outcome = excluded.outcome,
      settled_at = excluded.settled_at
    where (help_mails.claimed_until, help_mails.outcome, help_mails.settled_at)
      is distinct from (excluded.claimed_until, excluded.outcome, excluded.settled_at);
  return null;
end $$;
create function delete_help_mail() returns trigger language plpgsql as $$
begin
  delete from help_mails where id = old.id;
  return null;
end $$;
create trigger help_mails_copied after insert or update on help_mails
  for each row execute function copy_help_mail();
create trigger help_mails_deleted after delete on help_mails
  for each row execute function delete_outgoing_mail();
create trigger outgoing_mails_to_help after insert or update on outgoing_mails
  for each row when (new.template like 'help.%') execute function copy_mail_to_help_mails();
create trigger outgoing_mails_deleted_to_help after delete on outgoing_mails
  for each row when (old.template like 'help.%') execute function delete_help_mail();

insert into outgoing_mails (id, template, subject_type, subject_id, recipient, account_id, dedupe_key, created_at,
    claimed_until, outcome, settled_at)
  select * from help_mails_as_outgoing
on conflict do nothing;
