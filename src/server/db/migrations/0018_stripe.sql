-- Stripe as the card gateway.

-- What the adapter has to remember of its own: it stands beside the product, so nothing of the product joins it.
create schema stripe_gateway;
-- The customer that stands for an account. Stripe is told the account's id and nothing else of it.
create table stripe_gateway.customers (
  owner text primary key,
  ref text not null unique,
  created_at timestamptz not null
);
-- The payment intent that was made for an idempotency key. Written before Stripe is asked for money: without a row
-- here, nothing can be on a card.
create table stripe_gateway.payments (
  idempotency_key text primary key,
  ref text not null unique,
  created_at timestamptz not null
);

-- What a gateway has said of its own accord, each notice once, however often and in whatever order it comes.
create table gateway_notices (
  gateway text not null,
  id text not null check (length(id) between 1 and 255),
  kind text not null check (kind in ('payment', 'refund failed', 'dispute', 'other')),
  -- The payment that it is about, by our own key; none where it is about nothing of ours.
  payment_key uuid,
  received_at timestamptz not null,
  primary key (gateway, id)
);
create index gateway_notices_received on gateway_notices (received_at);

-- A card that the browser has saved at the gateway itself comes with the gateway's name for it, perhaps twice.
create unique index payment_methods_live_ref on payment_methods (gateway, gateway_ref) where removed_at is null;
