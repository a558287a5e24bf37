-- The hour of a session in the rhythm of its series, also after it was moved: it counts as offered to its client.
alter table appointments add column series_starts_at timestamptz;

-- A card that has gone or expires before it is charged is reported ten days before.
alter table session_mails drop constraint session_mails_kind_check,
  add constraint session_mails_kind_check check (kind in ('booked', 'moved', 'cancelled', 'refunded', 'day_before',
    'hour_before', 'frozen', 'restored', 'no_show', 'no_show_withdrawn', 'no_show_disputed', 'no_show_upheld', 'no_show_overturned',
    'charge_ahead', 'payment_failed', 'unpaid', 'card_ahead')) not valid;
