-- no transaction
-- Refunds that give a discount are few, and are looked for in each statement of a practitioner.
create index concurrently if not exists refunds_with_discount on refunds (payment_intent_id) where discount_pence < 0;
