-- no transaction
-- Rows that were there before are checked while others go on writing.
alter table time_off validate constraint time_off_during_bounds;
alter table practitioners validate constraint practitioners_date_of_birth_bounds;
alter table practitioners validate constraint practitioners_insurance_certificate_expires_bounds;
alter table practitioner_documents validate constraint practitioner_documents_expires_on_bounds;
alter table practitioner_licenses validate constraint practitioner_licenses_expires_on_bounds;
