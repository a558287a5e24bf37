-- A payout that the practitioner's bank sent back, or that was recorded wrongly: its whole amount is owed to them again.
create table payout_reversals (
  payout_id uuid primary key references payouts,
  reason text not null check (reason in ('returned_by_bank', 'recorded_wrongly')),
  created_at timestamptz not null
);
create trigger payout_reversals_append_only before update or delete or truncate on payout_reversals
  for each statement execute function forbid_change();

alter table ledger_transactions drop constraint ledger_transactions_kind_check,
  add constraint ledger_transactions_kind_check check (kind in
    ('capture', 'refund', 'charge', 'payout', 'payout_reversed', 'refund_failed', 'refund_paid_otherwise',
     'charge_refund', 'charge_refund_failed', 'dispute_withdrawn', 'dispute_reinstated', 'dispute_lost',
     'dispute_charged', 'dispute_fee', 'dispute_fee_returned')) not valid;
