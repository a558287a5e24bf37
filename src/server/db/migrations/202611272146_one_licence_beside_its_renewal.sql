-- no transaction
-- One accepted licence, and beside it one with the same number that waits as its renewal or was refused.
create unique index concurrently if not exists practitioner_licenses_one_renewal
  on practitioner_licenses (practitioner_id, provider_type_id, license_body_id, license_number, (state = 'accepted'));
