-- Days and times that people enter have the bounds of the contract, 1900 to 2199: a row outside them cannot be answered.

-- Time off that is over is not shown; what goes on from further back began in 2000 as far as anybody can tell.
delete from time_off where upper(during) < '2000-01-01';
update time_off set during = tstzrange(greatest(lower(during), '2000-01-01'), least(upper(during), '2199-12-31'))
  where lower(during) < '2000-01-01' or upper(during) > '2199-12-31';
alter table time_off add constraint time_off_during_bounds
  check (lower(during) >= '2000-01-01 00:00:00+00' and upper(during) <= '2199-12-31 00:00:00+00') not valid;

-- A day that cannot be right is asked for again.
update practitioners set date_of_birth = null where date_of_birth not between '1900-01-01' and '2199-12-31';
alter table practitioners add constraint practitioners_date_of_birth_bounds
  check (date_of_birth between '1900-01-01' and '2199-12-31') not valid;

-- What has run out stays so, and what lasts for centuries goes on.
update practitioners
  set insurance_certificate_expires = greatest(least(insurance_certificate_expires, '2199-12-31'), '1900-01-01')
  where insurance_certificate_expires not between '1900-01-01' and '2199-12-31';
update practitioner_documents set expires_on = greatest(least(expires_on, '2199-12-31'), '1900-01-01')
  where expires_on not between '1900-01-01' and '2199-12-31';
update practitioner_licenses set expires_on = greatest(least(expires_on, '2199-12-31'), '1900-01-01')
  where expires_on not between '1900-01-01' and '2199-12-31';
alter table practitioners add constraint practitioners_insurance_certificate_expires_bounds
  check (insurance_certificate_expires between '1900-01-01' and '2199-12-31') not valid;
alter table practitioner_documents add constraint practitioner_documents_expires_on_bounds
  check (expires_on between '1900-01-01' and '2199-12-31') not valid;
alter table practitioner_licenses add constraint practitioner_licenses_expires_on_bounds
  check (expires_on between '1900-01-01' and '2199-12-31') not valid;
