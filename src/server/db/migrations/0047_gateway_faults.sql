-- What the gateway said of the last call that failed: its kind of error, its code, and the number under which it keeps
-- the request. Never its words, which may repeat what was sent.
alter table payment_intents add column gateway_error jsonb;
alter table refunds add column gateway_error jsonb;
alter table platform_charges add column gateway_error jsonb;
