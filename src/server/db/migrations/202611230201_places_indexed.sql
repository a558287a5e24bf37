-- no transaction
create index concurrently if not exists practitioner_search_places on practitioner_search using gin (places);
create index concurrently if not exists practitioner_search_unplaced on practitioner_search (practitioner_id) where places is null;
