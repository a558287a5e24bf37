-- Holds a time, or fails: HE011 where a reservation of the practitioner is in the way, HE012 where it is one of the client.
-- What is sent after it, up to the commit, is left out by the failure.
create function hold_time(
  reservation uuid, practitioner int, client uuid, starts timestamptz, ends timestamptz, pause int, expires timestamptz,
  made timestamptz
) returns void language plpgsql as $$
begin
  insert into reservations (id, practitioner_id, client_id, during, pause_minutes, state, hold_expires_at, created_at)
    values (reservation, practitioner, client, tstzrange(starts, ends), pause, 'held', expires, made)
    on conflict do nothing;
  if found then return; end if;
  -- A statement of its own: it sees the reservation whose commit the insert has waited for.
  if exists (select from reservations where practitioner_id = practitioner and state <> 'released'
    and blocked && with_pause(tstzrange(starts, ends), pause)) then
    raise exception 'the time is taken' using errcode = 'HE011';
  end if;
  raise exception 'the client has another session' using errcode = 'HE012';
end $$;
