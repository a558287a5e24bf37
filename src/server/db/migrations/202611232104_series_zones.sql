-- A practitioner who moves to another zone keeps the agreed hour on the clocks of the series. Both people are told, and each
-- confirms the hour as the new clocks show it.
alter table session_series
  -- The practitioner's zone that both were last told of; null if it has not changed since the agreement.
  add column zone_noted text check (length(zone_noted) <= 64),
  -- The practitioner's zone that each has last confirmed.
  add column zone_confirmed_by_client text check (length(zone_confirmed_by_client) <= 64),
  add column zone_confirmed_by_practitioner text check (length(zone_confirmed_by_practitioner) <= 64);
