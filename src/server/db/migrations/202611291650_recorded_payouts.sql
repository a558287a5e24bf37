-- no transaction
alter table ledger_transactions validate constraint ledger_transactions_kind_check;

create index concurrently if not exists payouts_newest on payouts (created_at desc, id desc);
