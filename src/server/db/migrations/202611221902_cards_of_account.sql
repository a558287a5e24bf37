-- no transaction
-- Data protection reads the payments of a client by their cards, removed ones included.
create index concurrently if not exists payment_methods_of_account on payment_methods (account_id);
