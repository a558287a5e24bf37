-- Practitioners whose free time has changed since their search row was computed, once for each change. A mark is only ever
-- inserted, so that a hold waits for no other. It is deleted before the free time is read anew: one that is committed later
-- stays. The search of the previous release does not read marks: it learns of a hold within a minute, from the job.
create table practitioner_search_marks (practitioner_id int not null);
create index practitioner_search_marks_practitioner on practitioner_search_marks (practitioner_id);
