-- no transaction
-- Who decided about a report, dispute or session, without reading all entries of the action.
create index concurrently if not exists audit_log_subject on audit_log (subject, id);
