-- no transaction
-- Rows that were there before are checked while others go on writing.
alter table reservations validate constraint reservations_origin;
