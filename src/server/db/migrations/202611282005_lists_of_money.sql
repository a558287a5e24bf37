-- no transaction
-- What practitioners are owed, without reading the entries. Takes the place of `ledger_entries_practitioner`, which the
-- next release drops.
create index concurrently if not exists ledger_entries_payable on ledger_entries (practitioner_id)
  include (amount_pence) where practitioner_id is not null;
create index concurrently if not exists appointments_no_show on appointments (ends_at) where state = 'no_show';
-- The newest payments.
create index concurrently if not exists payment_intents_taken on payment_intents (created_at, appointment_id)
  where state in ('capturing', 'captured');
