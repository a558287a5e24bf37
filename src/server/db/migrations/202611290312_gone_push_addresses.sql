-- The push service has given the address up. The browser may have another one, which it gives with the secret of this one.
alter table push_subscriptions add column gone_at timestamptz;
