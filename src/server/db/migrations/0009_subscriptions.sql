-- What practitioners pay the platform: their subscription, and a video that is produced for them.

-- Payments of an account to the platform, as payment intents are for appointments: stored before the gateway is asked,
-- with their id as its idempotency key.
create table platform_charges (
  id uuid primary key,
  account_id uuid not null references accounts,
  payment_method_id uuid not null references payment_methods,
  gateway text not null,
  gateway_ref text,
  purpose text not null check (purpose in ('subscription', 'video_production')),
  -- The one thing that is paid for, such as a certain month of a certain subscription.
  subject text not null check (length(subject) between 1 and 120),
  amount_pence int not null check (amount_pence > 0),
  -- Somebody is there whom the bank can ask.
  on_session boolean not null,
  state text not null check (state in
    ('authorising', 'requires_action', 'authorised', 'declined', 'capturing', 'captured', 'voiding', 'voided')),
  decline_code text,
  client_secret text,
  -- Gateway calls that failed since the state last changed.
  attempts int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- Nothing is paid for twice, however often and at whatever moment it is asked for.
create unique index platform_charges_once on platform_charges (subject)
  where state in ('authorising', 'requires_action', 'authorised', 'capturing', 'captured');
create index platform_charges_account on platform_charges (account_id);
create index platform_charges_method on platform_charges (payment_method_id);
create index platform_charges_in_flight on platform_charges (updated_at)
  where state in ('authorising', 'requires_action', 'authorised', 'capturing', 'voiding');

alter table ledger_transactions drop constraint ledger_transactions_kind_check,
  add constraint ledger_transactions_kind_check check (kind in ('capture', 'refund', 'charge'));
alter table ledger_entries drop constraint ledger_entries_account_check,
  add constraint ledger_entries_account_check check (account in
    ('gateway_balance', 'practitioner_payable', 'referral_discounts', 'subscription_income', 'video_production_income'));
-- What moved for one practitioner, newest last.
create index ledger_transactions_at on ledger_transactions (at);

create table subscriptions (
  id uuid primary key,
  practitioner_id int not null references practitioners,
  state text not null check (state in
    ('starting', 'waiting', 'active', 'past_due', 'cancelling', 'lapsed', 'ended')),
  -- What a month costs: the price when it was subscribed to.
  price_pence int not null check (price_pence > 0),
  -- When the first paid month began: each further one begins on the same day of the month, or on its last day where it
  -- is shorter, at the same time in Europe/London.
  anchor_at timestamptz,
  -- Months from the anchor to the end of what is paid.
  months int not null default 0 check (months >= 0),
  -- Months paid for altogether; those before a pause count.
  payments int not null default 0 check (payments >= 0),
  paid_until timestamptz,
  -- The attempt to be paid that is under way.
  charge_id uuid references platform_charges,
  -- Attempts that failed since it was last paid, and when the first of them did.
  failures int not null default 0 check (failures >= 0),
  failed_since timestamptz,
  -- When there is something to do next: renew it, try again, end it.
  due_at timestamptz,
  created_at timestamptz not null,
  cancelled_at timestamptz,
  ended_at timestamptz,
  check ((anchor_at is null) = (paid_until is null)),
  check (state not in ('active', 'cancelling') or paid_until is not null),
  check ((state in ('lapsed', 'ended')) = (ended_at is not null)),
  check (state not in ('active', 'past_due', 'cancelling') or due_at is not null),
  check ((failures = 0) = (failed_since is null))
);
create unique index subscriptions_live on subscriptions (practitioner_id) where state not in ('lapsed', 'ended');
create index subscriptions_practitioner on subscriptions (practitioner_id, created_at);
create index subscriptions_due on subscriptions (due_at) where due_at is not null;

-- Which month a charge pays.
create table subscription_months (
  charge_id uuid primary key references platform_charges,
  subscription_id uuid not null references subscriptions,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  check (starts_at < ends_at)
);
create index subscription_months_subscription on subscription_months (subscription_id);

-- A video that is produced over a call, ordered once. Without `ordered_at` it has not been paid for.
create table video_productions (
  practitioner_id int primary key references practitioners,
  price_pence int not null check (price_pence > 0),
  charge_id uuid references platform_charges,
  ordered_at timestamptz
);

-- The number of the last invoice of a year: taken under its row's lock, in the transaction that writes the invoice, so
-- that none is left out.
create table invoice_numbers (year int primary key, last int not null check (last > 0));
create table invoices (
  id uuid primary key,
  charge_id uuid not null unique references platform_charges,
  practitioner_id int not null references practitioners,
  year int not null,
  serial int not null check (serial > 0),
  -- As they were on the day.
  seller text not null,
  buyer text not null,
  description text not null,
  amount_pence int not null check (amount_pence > 0),
  issued_at timestamptz not null,
  unique (year, serial)
);
create index invoices_practitioner on invoices (practitioner_id, issued_at desc);
create trigger invoices_append_only before update or delete or truncate on invoices
  for each statement execute function forbid_change();

-- Mails about it: a row for each that is due, written with the change that it tells of.
create table subscription_mails (
  id uuid primary key,
  practitioner_id int not null references practitioners,
  kind text not null check (kind in ('receipt', 'payment_failed', 'lapsed', 'cancelled', 'ended')),
  -- Amounts in pence and instants, as they were at the change.
  facts jsonb not null,
  created_at timestamptz not null,
  -- Somebody is sending it until then, or ended in the middle of it.
  claimed_until timestamptz,
  outcome text check (outcome in ('sent', 'dropped', 'refused')),
  settled_at timestamptz,
  check ((outcome is null) = (settled_at is null))
);
create index subscription_mails_practitioner on subscription_mails (practitioner_id);
