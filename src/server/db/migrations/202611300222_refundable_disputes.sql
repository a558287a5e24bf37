-- In an inquiry, a bank asks about a payment and no money has been withdrawn: a refund is possible, and ends it. What the
-- release before writes counts as a dispute in which refunds wait.
alter table disputes add column is_refundable boolean not null default false;
