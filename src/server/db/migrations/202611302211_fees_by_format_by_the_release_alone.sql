-- The previous release writes these columns itself, as this one does.
drop trigger practitioner_search_fees_by_format on practitioner_search;
drop function set_fees_by_format();
