-- no transaction
-- One live session of a series at a time, however often it is asked for.
create unique index concurrently if not exists appointments_series_start on appointments (series_id, starts_at)
  where series_id is not null and state not in ('cancelled', 'expired');
create index concurrently if not exists appointments_to_charge on appointments (charge_at) where state = 'reserved';
create index concurrently if not exists appointments_unpaid_by on appointments (pay_by) where state = 'reserved';
create index concurrently if not exists appointments_charged_card on appointments (payment_method_id)
  where payment_method_id is not null;
-- Takes the place of `appointments_one_discount`, which the next release drops.
create unique index concurrently if not exists appointments_one_discount_reserved on appointments (client_id)
  where discount_pence > 0 and state in ('pending', 'reserved', 'confirmed', 'completed', 'no_show');
