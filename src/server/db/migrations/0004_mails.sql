-- The zone that the client's own clock showed when they last booked or moved it: mails tell times in it.
alter table appointments add column client_timezone text check (length(client_timezone) <= 64);

-- Mails about sessions: a row for each that is due, written with the change that it tells of.
create table session_mails (
  id uuid primary key,
  appointment_id uuid not null references appointments on delete cascade,
  kind text not null check (kind in ('booked', 'moved', 'cancelled', 'refunded')),
  -- The appointment's sequence after the change.
  sequence int not null,
  recipient text not null check (recipient in ('client', 'practitioner')),
  -- When the session would have begun before it was moved; null where only its format or service changed.
  moved_from timestamptz check (moved_from is null or kind = 'moved'),
  -- What a 'refunded' mail waits for and then tells of.
  refund_ids uuid[] not null default '{}',
  created_at timestamptz not null,
  -- Somebody is sending it until then, or ended in the middle of it.
  claimed_until timestamptz,
  -- 'dropped': what it would say is no longer so, and a later mail says what is.
  outcome text check (outcome in ('sent', 'dropped', 'refused')),
  settled_at timestamptz,
  unique (appointment_id, kind, sequence, recipient),
  check ((kind = 'refunded') = (refund_ids <> '{}')),
  check ((outcome is null) = (settled_at is null))
);
