-- A payment that is not compared any more has `infinity` as the time of its comparison, until it changes.
create function compare_again() returns trigger language plpgsql as $$
begin
  new.compared_at := null;
  return new;
end $$;
create trigger payment_intents_compared_again before update of updated_at on payment_intents
  for each row when (old.compared_at = 'infinity' and old.updated_at <> new.updated_at)
  execute function compare_again();
create trigger platform_charges_compared_again before update of updated_at on platform_charges
  for each row when (old.compared_at = 'infinity' and old.updated_at <> new.updated_at)
  execute function compare_again();
