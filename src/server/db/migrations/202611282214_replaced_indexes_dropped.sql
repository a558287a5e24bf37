-- no transaction
-- `appointments_frozen_until`, `login_sessions_of_account`, `platform_charges_to_compare` and `ledger_entries_payable` have
-- taken their places.
drop index concurrently if exists appointments_frozen;
drop index concurrently if exists login_sessions_account;
drop index concurrently if exists platform_charges_compared;
drop index concurrently if exists ledger_entries_practitioner;
