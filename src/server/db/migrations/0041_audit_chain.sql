-- Each entry of the audit log carries the hash of the one before it: an entry that is changed, removed, added or moved
-- does not fit the chain any more. The trigger fills these columns, so that entries of the release before are chained too.
alter table audit_log add column seq bigint unique;
alter table audit_log add column prev bytea;
alter table audit_log add column hash bytea;

-- The last entry of the chain. Locked by each insert, as two that chained to the same entry would fork it.
create table audit_head (
  id int primary key check (id = 1),
  seq bigint not null check (seq >= 0),
  hash bytea not null check (octet_length(hash) = 32)
);

-- Bytes with their length before them, so that no two lists of fields are the same bytes; -1 for null.
create function audit_field(value bytea) returns bytea language sql immutable parallel safe as $$
  select case when value is null then int4send(-1) else int4send(octet_length(value)) || value end
$$;

create function audit_hash(
  prev bytea, seq bigint, at timestamptz, actor_id uuid, actor_name text, action text, subject text, reason text,
  practitioner_id int
) returns bytea language sql stable parallel safe as $$
  select sha256(
    public.audit_field(prev)
    || public.audit_field(convert_to(seq::text, 'UTF8'))
    -- Microseconds since 1970: what the column keeps, whatever the session's zone and style of dates.
    || public.audit_field(convert_to(((extract(epoch from at) * 1000000)::bigint)::text, 'UTF8'))
    || public.audit_field(convert_to(actor_id::text, 'UTF8'))
    || public.audit_field(convert_to(actor_name, 'UTF8'))
    || public.audit_field(convert_to(action, 'UTF8'))
    || public.audit_field(convert_to(subject, 'UTF8'))
    || public.audit_field(convert_to(reason, 'UTF8'))
    || public.audit_field(convert_to(practitioner_id::text, 'UTF8')))
$$;

create function audit_chain_entry() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  head record;
begin
  -- Rows that the entry refers to are locked first: whoever holds them may be waiting for the head.
  perform from public.accounts where id = new.actor_id for key share;
  perform from public.practitioners where id = new.practitioner_id for key share;
  insert into public.audit_head (id, seq, hash) values (1, 0, sha256('')) on conflict do nothing;
  select seq, hash into strict head from public.audit_head where id = 1 for update;
  new.seq := head.seq + 1;
  new.prev := head.hash;
  new.hash := public.audit_hash(new.prev, new.seq, new.at, new.actor_id, new.actor_name, new.action, new.subject,
    new.reason, new.practitioner_id);
  update public.audit_head set seq = new.seq, hash = new.hash where id = 1;
  return new;
end $$;

-- The head moves with an entry alone.
create function forbid_moving_head() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'audit_head moves with an entry of the audit log alone' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger audit_head_moves_with_entries before insert or update or delete or truncate on audit_head
  for each statement execute function forbid_moving_head();

-- What there is already is chained in the order in which it was written.
alter table audit_head disable trigger audit_head_moves_with_entries;
alter table audit_log disable trigger audit_log_append_only;
do $$
declare
  entry record;
  last_seq bigint := 0;
  last_hash bytea := sha256('');
  next_hash bytea;
begin
  for entry in select * from audit_log order by id loop
    next_hash := audit_hash(last_hash, last_seq + 1, entry.at, entry.actor_id, entry.actor_name, entry.action,
      entry.subject, entry.reason, entry.practitioner_id);
    update audit_log set seq = last_seq + 1, prev = last_hash, hash = next_hash where id = entry.id;
    last_seq := last_seq + 1;
    last_hash := next_hash;
  end loop;
  insert into audit_head (id, seq, hash) values (1, last_seq, last_hash);
end $$;
alter table audit_log enable trigger audit_log_append_only;
alter table audit_head enable trigger audit_head_moves_with_entries;

create trigger audit_log_chained before insert on audit_log for each row execute function audit_chain_entry();
alter table audit_log add constraint audit_log_chained check (seq is not null and prev is not null and hash is not null);

-- What the daily check of the chain found, and the last entry that it checked: the anchor that is mailed to the office.
create table audit_checks (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  seq bigint not null,
  hash bytea not null,
  -- Null where every entry is as it was written.
  wrong_seq bigint
);
create index audit_checks_at on audit_checks (at desc);
