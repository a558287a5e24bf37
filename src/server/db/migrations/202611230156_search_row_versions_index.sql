-- no transaction
create index concurrently if not exists practitioner_search_version on practitioner_search (updated_xid);
