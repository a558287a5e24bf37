-- A report after which something was hidden outlives its reporter: by it the back office shows the thing again.
alter table review_reports alter column account_id drop not null, alter column reason drop not null;
