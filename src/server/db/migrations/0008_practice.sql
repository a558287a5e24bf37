-- The practitioner's own side of a profile: steps that are saved one by one, files, and facts that are vetted.

alter table practitioners
  -- Professional indemnity insurance; null while not answered.
  add column has_indemnity boolean,
  add column video_choice text check (video_choice in ('own', 'call', 'link', 'none')),
  -- An uploaded introduction, in the object storage.
  add column video_file_id uuid,
  -- The first of the vetted facts expires then; null where none of them expires.
  add column vetted_until timestamptz;
alter table practitioners add constraint practitioners_short_description_length check (length(short_description) <= 300);

-- A step of the profile as it was saved last. Its version rises by one each time, so that of two windows with the
-- same step the later one is told.
create table practitioner_steps (
  practitioner_id int not null references practitioners on delete cascade,
  step text not null check (step in ('about_you', 'languages', 'licences', 'identity', 'dbs', 'approaches', 'issues',
    'photo', 'bio', 'video', 'insurance', 'services', 'locations', 'insurers')),
  version int not null check (version > 0),
  saved_at timestamptz not null,
  primary key (practitioner_id, step)
);

-- What lies in the object storage, and whose it is. A row without `ready_at` was begun and may have left an object.
create table stored_files (
  id uuid primary key,
  account_id uuid not null references accounts,
  storage_key text not null unique,
  content_type text not null,
  bytes bigint not null check (bytes > 0),
  created_at timestamptz not null,
  ready_at timestamptz,
  -- The object itself is removed by a job after that.
  removed_at timestamptz
);
create index stored_files_account on stored_files (account_id);
create index stored_files_removed on stored_files (removed_at) where removed_at is not null;
create index stored_files_unfinished on stored_files (created_at) where ready_at is null;
alter table practitioners add foreign key (video_file_id) references stored_files;

-- Identity, DBS check and insurance certificate: private, looked at by the back office.
create table practitioner_documents (
  id uuid primary key,
  practitioner_id int not null references practitioners on delete cascade,
  kind text not null check (kind in ('identity', 'dbs', 'insurance_certificate')),
  file_id uuid not null unique references stored_files,
  expires_on date,
  state text not null check (state in ('waiting', 'accepted', 'refused', 'replaced')),
  reason text check (length(reason) <= 2000),
  decided_at timestamptz,
  created_at timestamptz not null,
  check ((state = 'waiting') = (decided_at is null)),
  check ((state = 'refused') = (reason is not null))
);
-- At most one that counts and one that waits to take its place.
create unique index practitioner_documents_accepted on practitioner_documents (practitioner_id, kind)
  where state = 'accepted';
create unique index practitioner_documents_waiting on practitioner_documents (practitioner_id, kind)
  where state = 'waiting';
create index practitioner_documents_practitioner on practitioner_documents (practitioner_id, kind, created_at);
create index practitioner_documents_queue on practitioner_documents (created_at) where state = 'waiting';

-- Links that show one private file for a moment.
create table file_links (
  hash bytea primary key,
  file_id uuid not null references stored_files on delete cascade,
  expires_at timestamptz not null
);
create index file_links_expiry on file_links (expires_at);

-- Licences are vetted one by one; those of an approved practitioner count once they are accepted.
alter table practitioner_licenses drop constraint practitioner_licenses_practitioner_id_license_body_id_licen_key,
  add constraint practitioner_licenses_once
    unique (practitioner_id, provider_type_id, license_body_id, license_number);
alter table practitioner_licenses
  add column state text not null default 'accepted' check (state in ('waiting', 'accepted', 'refused')),
  add column reason text check (length(reason) <= 2000),
  add column expires_on date,
  add column created_at timestamptz not null default now();
alter table practitioner_licenses alter column state drop default;
alter table practitioner_licenses alter column created_at drop default;
alter table practitioner_licenses add constraint practitioner_licenses_refused
  check ((state = 'refused') = (reason is not null));
create index practitioner_licenses_queue on practitioner_licenses (created_at) where state = 'waiting';
