-- What the back office does by hand for practitioners: paying out what is owed, and producing videos.

alter table ledger_transactions drop constraint ledger_transactions_kind_check,
  add constraint ledger_transactions_kind_check check (kind in ('capture', 'refund', 'charge', 'payout'));

-- A transfer to a practitioner's own bank account. Its movement in the ledger has this id as its source.
create table payouts (
  id uuid primary key,
  practitioner_id int not null references practitioners,
  amount_pence int not null check (amount_pence > 0),
  -- What stands on the bank's statement.
  reference text not null check (length(reference) between 1 and 100),
  created_at timestamptz not null
);
create index payouts_practitioner on payouts (practitioner_id, created_at);
create trigger payouts_append_only before update or delete or truncate on payouts
  for each statement execute function forbid_change();

alter table video_productions add column done_at timestamptz,
  add check (done_at is null or ordered_at is not null);
