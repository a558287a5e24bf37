-- `subscription_mails` is copied to `outgoing_mails`. The release before finds a mail there by its job alone, so the other
-- way only what became of a copied mail is written.
create view subscription_mails_as_outgoing as
  select m.id, 'subscription.' || m.kind as template,
    case when m.kind like 'video%' then 'video-order' else 'practitioner' end as subject_type,
    m.practitioner_id::text as subject_id, case when o.is_office then 'office' else 'practitioner' end as recipient,
    coalesce((m.facts ->> 'step')::int, 0) as sequence, case when not o.is_office then p.account_id end as account_id,
    'subscription.' || m.kind || ' ' || m.id as dedupe_key,
    m.facts as data, m.created_at, m.claimed_until, m.outcome, m.settled_at
  from subscription_mails m
    join practitioners p on p.id = m.practitioner_id,
    lateral (select m.kind like '%\_office' or m.kind in ('video_dates_asked', 'video_change_asked') as is_office) o;
create function copy_subscription_mail() returns trigger language plpgsql as $$
begin
  insert into outgoing_mails (id, template, subject_type, subject_id, recipient, sequence, account_id, dedupe_key, data,
      created_at, claimed_until, outcome, settled_at)
    select * from subscription_mails_as_outgoing where id = new.id
  on conflict (id) do update set claimed_until = excluded.claimed_until, outcome = excluded.outcome,
      settled_at = excluded.settled_at
    where (outgoing_mails.claimed_until, outgoing_mails.outcome, outgoing_mails.settled_at)
      is distinct from (excluded.claimed_until, excluded.outcome, excluded.settled_at);
  return null;
end $$;
create function copy_state_to_subscription_mails() returns trigger language plpgsql as $$
begin
  update subscription_mails m
    set claimed_until = new.claimed_until, outcome = new.outcome, settled_at = new.settled_at
    where m.id = new.id and (m.claimed_until, m.outcome, m.settled_at)
      is distinct from (new.claimed_until, new.outcome, new.settled_at);
  return null;
end $$;
create trigger subscription_mails_copied after insert or update on subscription_mails
  for each row execute function copy_subscription_mail();
create trigger outgoing_mails_to_subscriptions after update on outgoing_mails
  for each row when (new.template like 'subscription.%') execute function copy_state_to_subscription_mails();

insert into outgoing_mails (id, template, subject_type, subject_id, recipient, sequence, account_id, dedupe_key, data,
    created_at, claimed_until, outcome, settled_at)
  select * from subscription_mails_as_outgoing
on conflict do nothing;
