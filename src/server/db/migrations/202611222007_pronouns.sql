-- Shown on the profile, and searched by. The values stand in the contract.
alter table practitioners add column pronouns text;
alter table practitioner_search add column pronouns text;
