-- no transaction
-- Rows that were there before are checked while others go on writing.
alter table ledger_transactions validate constraint ledger_transactions_kind_check;
alter table ledger_entries validate constraint ledger_entries_account_check;
alter table subscription_mails validate constraint subscription_mails_kind_check;
