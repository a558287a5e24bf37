-- The time of an offer stays reserved for two minutes after its client's deadline, so that the transaction that ends the
-- offer can give the time to the next client before others can book it.
create function guarded_until(origin text, deadline timestamptz) returns timestamptz language sql stable as
  $$ select case when origin = 'offer' then deadline + interval '2 minutes' else deadline end $$;
-- Until when the client of a hold can pay.
create function deadline_of(origin text, hold_expires_at timestamptz) returns timestamptz language sql stable as
  $$ select case when origin = 'offer' then hold_expires_at - interval '2 minutes' else hold_expires_at end $$;

-- The time that a change has freed; null if it is not known. It is offered once the mark is due.
alter table waitlist_marks add column freed tstzrange;
