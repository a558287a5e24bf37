-- no transaction
create index concurrently if not exists push_subscriptions_gone on push_subscriptions (gone_at) where gone_at is not null;
