-- What the gateway takes for a dispute itself. `fee_pence` is what the ledger has; a won dispute may bring it back.
alter table disputes
  add column fee_pence int not null default 0 check (fee_pence >= 0),
  add column is_fee_returned boolean not null default false;
alter table sandbox_gateway.disputes add column fee_pence int not null default 0 check (fee_pence >= 0);

alter table ledger_transactions drop constraint ledger_transactions_kind_check,
  add constraint ledger_transactions_kind_check check (kind in
    ('capture', 'refund', 'charge', 'payout', 'refund_failed', 'refund_paid_otherwise', 'charge_refund',
     'charge_refund_failed', 'dispute_withdrawn', 'dispute_reinstated', 'dispute_lost', 'dispute_charged',
     'dispute_fee', 'dispute_fee_returned')) not valid;
alter table ledger_entries drop constraint ledger_entries_account_check,
  add constraint ledger_entries_account_check check (account in
    ('gateway_balance', 'practitioner_payable', 'referral_discounts', 'subscription_income',
     'video_production_income', 'disputed_funds', 'dispute_losses', 'dispute_fees')) not valid;

-- Practitioners are told of what became of their payment to the platform.
alter table subscription_mails drop constraint subscription_mails_kind_check,
  add constraint subscription_mails_kind_check check (kind in
    ('receipt', 'payment_failed', 'lapsed', 'cancelled', 'ended', 'charge_refunded', 'charge_disputed',
     'video_dates', 'video_dates_asked', 'video_date_agreed', 'video_date_agreed_office', 'video_ready',
     'video_change_asked', 'video_approved', 'video_approved_office', 'video_taken_back')) not valid;
