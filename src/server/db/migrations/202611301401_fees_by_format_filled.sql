-- The trigger of the migration before this one sets them.
update practitioner_search set min_fee_pence = min_fee_pence;
