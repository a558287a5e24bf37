-- The rows from before the triggers. One that a trigger has copied meanwhile is newer and stays.
insert into outgoing_mails (id, template, subject_type, subject_id, recipient, sequence, account_id, dedupe_key, data,
    created_at, claimed_until, outcome, settled_at)
  select m.id, 'session.' || m.kind, 'appointment', m.appointment_id::text, m.recipient, m.sequence, r.id,
    'session ' || m.appointment_id || ' ' || m.kind || ' ' || m.sequence || ' ' || m.recipient,
    jsonb_strip_nulls(jsonb_build_object('moved_from', m.moved_from,
      'refund_ids', case when m.refund_ids <> '{}' then to_jsonb(m.refund_ids) end)),
    m.created_at, m.claimed_until, m.outcome, m.settled_at
  from session_mails m
    join appointments a on a.id = m.appointment_id
    join practitioners p on p.id = a.practitioner_id
    left join accounts r on r.id = case m.recipient when 'client' then a.client_id else p.account_id end
      and r.deleted_at is null
on conflict do nothing;
