-- Every mail that the product sends: a row for each, written with the change that it is about.
create table outgoing_mails (
  id uuid primary key,
  -- Names the kind of mail. Its text is written at the time of sending.
  template text not null check (length(template) between 1 and 80),
  -- What the mail is about, such as an appointment and its id. Mails about one subject to one recipient go out in order.
  subject_type text not null check (length(subject_type) between 1 and 40),
  subject_id text not null check (length(subject_id) between 1 and 80),
  recipient text not null check (length(recipient) between 1 and 80),
  sequence int not null default 0,
  -- The recipient's account: its mails are deleted with it.
  account_id uuid references accounts on delete cascade,
  -- The same for the same change, however often it is repeated.
  dedupe_key text not null unique check (length(dedupe_key) between 1 and 200),
  -- Ids and facts as of the change. A text that a person wrote is here only until the mail is sent.
  data jsonb not null default '{}',
  created_at timestamptz not null,
  -- A worker is sending it until then, or ended while sending.
  claimed_until timestamptz,
  -- 'dropped': it was obsolete.
  outcome text check (outcome in ('sent', 'dropped', 'refused')),
  settled_at timestamptz,
  check ((outcome is null) = (settled_at is null))
);
create index outgoing_mails_subject on outgoing_mails (subject_type, subject_id, recipient);
create index outgoing_mails_account on outgoing_mails (account_id) where account_id is not null;
create index outgoing_mails_settled on outgoing_mails (settled_at) where settled_at is not null;
alter table outgoing_mails alter column data set statistics 0;

-- `session_mails` is kept in step with it in both directions for one release, under the same ids. Each form is written
-- only where it differs, so the triggers end with each other.
create function copy_session_mail() returns trigger language plpgsql as $$
begin
  insert into outgoing_mails (id, template, subject_type, subject_id, recipient, sequence, account_id, dedupe_key, data,
      created_at, claimed_until, outcome, settled_at)
    select new.id, 'session.' || new.kind, 'appointment', new.appointment_id::text, new.recipient, new.sequence, r.id,
      'session ' || new.appointment_id || ' ' || new.kind || ' ' || new.sequence || ' ' || new.recipient,
      jsonb_strip_nulls(jsonb_build_object('moved_from', new.moved_from,
        'refund_ids', case when new.refund_ids <> '{}' then to_jsonb(new.refund_ids) end)),
      new.created_at, new.claimed_until, new.outcome, new.settled_at
    from appointments a
      join practitioners p on p.id = a.practitioner_id
      left join accounts r on r.id = case new.recipient when 'client' then a.client_id else p.account_id end
        and r.deleted_at is null
    where a.id = new.appointment_id
  on conflict (id) do update set claimed_until = excluded.claimed_until, outcome = excluded.outcome,
      settled_at = excluded.settled_at
    where (outgoing_mails.claimed_until, outgoing_mails.outcome, outgoing_mails.settled_at)
      is distinct from (excluded.claimed_until, excluded.outcome, excluded.settled_at);
  return null;
end $$;
create function copy_mail_to_session_mails() returns trigger language plpgsql as $$
begin
  insert into session_mails (id, appointment_id, kind, sequence, recipient, moved_from, refund_ids, created_at,
      claimed_until, outcome, settled_at)
    values (new.id, new.subject_id::uuid, substr(new.template, 9), new.sequence, new.recipient,
      (new.data ->> 'moved_from')::timestamptz,
      array(select jsonb_array_elements_text(new.data -> 'refund_ids'))::uuid[],
      new.created_at, new.claimed_until, new.outcome, new.settled_at)
  on conflict (id) do update set claimed_until = excluded.claimed_until, outcome = excluded.outcome,
      settled_at = excluded.settled_at
    where (session_mails.claimed_until, session_mails.outcome, session_mails.settled_at)
      is distinct from (excluded.claimed_until, excluded.outcome, excluded.settled_at);
  return null;
end $$;
create function delete_outgoing_mail() returns trigger language plpgsql as $$
begin
  delete from outgoing_mails where id = old.id;
  return null;
end $$;
create function delete_session_mail() returns trigger language plpgsql as $$
begin
  delete from session_mails where id = old.id;
  return null;
end $$;
create trigger session_mails_copied after insert or update on session_mails
  for each row execute function copy_session_mail();
create trigger session_mails_deleted after delete on session_mails
  for each row execute function delete_outgoing_mail();
create trigger outgoing_mails_to_sessions after insert or update on outgoing_mails
  for each row when (new.template like 'session.%') execute function copy_mail_to_session_mails();
create trigger outgoing_mails_deleted_to_sessions after delete on outgoing_mails
  for each row when (old.template like 'session.%') execute function delete_session_mail();
