-- That a client did not come, and whether they dispute it. A session has one row from the first time it is declared.
create table no_shows (
  appointment_id uuid primary key references appointments on delete cascade,
  state text not null check (state in ('declared', 'withdrawn', 'disputed', 'upheld', 'overturned')),
  declared_at timestamptz not null,
  -- Until when the client may dispute it. The fee is not paid out before that.
  dispute_until timestamptz not null check (dispute_until > declared_at),
  disputed_at timestamptz check (disputed_at < dispute_until),
  -- The client's own words; null once the account is deleted.
  client_words text check (length(client_words) between 1 and 2000),
  decided_at timestamptz check (decided_at >= disputed_at),
  check ((state in ('disputed', 'upheld', 'overturned')) = (disputed_at is not null)),
  check ((state in ('upheld', 'overturned')) = (decided_at is not null))
);
create index no_shows_disputed on no_shows (disputed_at) where state = 'disputed';

-- Those declared before, and those that the release before this one declares meanwhile, count from the session's end.
insert into no_shows (appointment_id, state, declared_at, dispute_until)
select id, 'declared', ends_at, ends_at + interval '14 days' from appointments where state = 'no_show';

alter table session_mails drop constraint session_mails_kind_check,
  add constraint session_mails_kind_check check (kind in ('booked', 'moved', 'cancelled', 'refunded', 'day_before',
    'hour_before', 'frozen', 'restored', 'no_show', 'no_show_withdrawn', 'no_show_disputed', 'no_show_upheld', 'no_show_overturned'));
