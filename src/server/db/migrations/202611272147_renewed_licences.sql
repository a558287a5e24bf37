-- A renewed licence keeps its number. `practitioner_licenses_one_renewal` has taken the place of this constraint, which no
-- release asks for in its statements.
alter table practitioner_licenses drop constraint practitioner_licenses_once;
