-- no transaction
-- `appointments_one_discount_reserved` has taken its place.
drop index concurrently if exists appointments_one_discount;
