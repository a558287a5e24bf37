-- What other hands than the product's do at the payment gateway: refunds, captures and cancellations made in its
-- dashboard, refunds that a bank sends back, and disputes.

-- `failed`: the bank has sent the money back. `withdrawn`: the money went back by another refund. `paid_otherwise`: a
-- failed refund that the office has paid by bank transfer.
alter table refunds
  add column origin text not null default 'product' check (origin in ('product', 'gateway')),
  drop constraint refunds_state_check,
  add constraint refunds_state_check
    check (state in ('requested', 'succeeded', 'failed', 'withdrawn', 'paid_otherwise')),
  -- What was made at the gateway is known by its name there.
  add check (origin = 'product' or gateway_ref is not null);
create unique index refunds_gateway_ref on refunds (payment_intent_id, gateway_ref) where gateway_ref is not null;

create function refunds_within_payment() returns trigger language plpgsql as $$
begin
  if (select sum(amount_pence) from refunds
      where payment_intent_id = new.payment_intent_id and state in ('requested', 'succeeded'))
    > (select amount_pence from payment_intents where id = new.payment_intent_id) then
    raise exception 'refunds of payment intent % exceed it', new.payment_intent_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger refunds_within_payment after insert or update on refunds
  deferrable initially deferred for each row execute function refunds_within_payment();

-- `captured_elsewhere_at`: when money was found to have been captured by other hands. `compared_at`: when the payment
-- was last compared with the gateway by night.
alter table payment_intents add column captured_elsewhere_at timestamptz, add column compared_at timestamptz;
alter table platform_charges add column captured_elsewhere_at timestamptz, add column compared_at timestamptz;
create index payment_intents_compared on payment_intents (compared_at nulls first, id)
  where state in ('requires_action', 'authorised', 'capturing', 'captured', 'voiding');
create index platform_charges_compared on platform_charges (compared_at nulls first, id)
  where state in ('requires_action', 'authorised', 'capturing', 'captured', 'voiding');

-- Refunds of what accounts pay the platform itself; all of them are made at the gateway.
create table platform_charge_refunds (
  id uuid primary key,
  charge_id uuid not null references platform_charges,
  gateway_ref text not null,
  amount_pence int not null check (amount_pence > 0),
  state text not null check (state in ('succeeded', 'failed')),
  created_at timestamptz not null,
  unique (charge_id, gateway_ref)
);

create table disputes (
  id uuid primary key,
  gateway text not null,
  gateway_ref text not null,
  payment_intent_id uuid references payment_intents,
  charge_id uuid references platform_charges,
  amount_pence int not null check (amount_pence > 0),
  state text not null check (state in ('open', 'won', 'lost')),
  -- What the gateway has taken out of the platform's balance for it, and whether it came back.
  withdrawn_pence int not null default 0 check (withdrawn_pence >= 0),
  is_reinstated boolean not null default false,
  -- Who bears a lost one, as an admin has decided.
  borne_by text check (borne_by in ('platform', 'practitioner')),
  opened_at timestamptz not null,
  closed_at timestamptz,
  unique (gateway, gateway_ref),
  check (num_nonnulls(payment_intent_id, charge_id) = 1),
  check ((state = 'open') = (closed_at is null)),
  check (borne_by is null or state = 'lost'),
  check (borne_by is distinct from 'practitioner' or payment_intent_id is not null),
  check (not is_reinstated or (state = 'won' and withdrawn_pence > 0))
);
create index disputes_intent on disputes (payment_intent_id);
create index disputes_charge on disputes (charge_id);

-- What an admin has to look at, each thing once.
create table gateway_incidents (
  id uuid primary key,
  kind text not null check (kind in ('refund', 'capture', 'release', 'refund_failed', 'dispute', 'mismatch')),
  gateway text not null,
  -- The gateway's name for the refund, dispute or payment.
  subject text not null check (length(subject) between 1 and 255),
  -- The payment by our own key: a payment intent or a charge; none where the gateway names a payment of nobody here.
  payment_key uuid,
  -- Unknown until the payment has been read at the gateway.
  amount_pence int check (amount_pence > 0),
  noted_at timestamptz not null,
  resolution text check (resolution in ('noted', 'paid_otherwise', 'borne_by_platform', 'borne_by_practitioner', 'won')),
  resolved_at timestamptz,
  unique (gateway, kind, subject),
  check ((resolution is null) = (resolved_at is null))
);
create index gateway_incidents_open on gateway_incidents (noted_at, id) where resolved_at is null;
create index gateway_incidents_payment on gateway_incidents (payment_key) where resolved_at is null;

alter table ledger_transactions drop constraint ledger_transactions_kind_check,
  add constraint ledger_transactions_kind_check check (kind in
    ('capture', 'refund', 'charge', 'payout', 'refund_failed', 'refund_paid_otherwise', 'charge_refund',
     'charge_refund_failed', 'dispute_withdrawn', 'dispute_reinstated', 'dispute_lost', 'dispute_charged'));
-- `disputed_funds`: taken back by the gateway until a dispute is decided. `dispute_losses`: what the platform has lost.
alter table ledger_entries drop constraint ledger_entries_account_check,
  add constraint ledger_entries_account_check check (account in
    ('gateway_balance', 'practitioner_payable', 'referral_discounts', 'subscription_income',
     'video_production_income', 'disputed_funds', 'dispute_losses'));

-- The sandbox has disputes and refunds that fail, so that every gateway is tested alike.
alter table sandbox_gateway.refunds add column state text not null default 'succeeded'
  check (state in ('succeeded', 'failed'));
create table sandbox_gateway.disputes (
  ref text primary key,
  payment_ref text not null references sandbox_gateway.payments,
  amount_pence int not null check (amount_pence > 0),
  withdrawn_pence int not null check (withdrawn_pence >= 0),
  state text not null check (state in ('open', 'won', 'lost'))
);
