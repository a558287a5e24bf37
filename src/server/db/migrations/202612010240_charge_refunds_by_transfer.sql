-- A refund of what a practitioner paid the platform, which the bank sent back and which was then paid by bank transfer.
alter table platform_charge_refunds drop constraint platform_charge_refunds_state_check,
  add constraint platform_charge_refunds_state_check
    check (state in ('succeeded', 'failed', 'paid_otherwise')) not valid;

alter table ledger_transactions drop constraint ledger_transactions_kind_check,
  add constraint ledger_transactions_kind_check check (kind in
    ('capture', 'refund', 'charge', 'payout', 'payout_reversed', 'refund_failed', 'refund_paid_otherwise',
     'charge_refund', 'charge_refund_failed', 'charge_refund_paid_otherwise', 'dispute_withdrawn',
     'dispute_reinstated', 'dispute_lost', 'dispute_charged', 'dispute_fee', 'dispute_fee_returned')) not valid;
