-- What is said in an introduction on video, for those who do not hear it: captions beside the file, or a text. Vetting asks
-- for them once.
alter table practitioners
  add column video_captions_file_id uuid,
  add column video_transcript text,
  add column captions_asked_at timestamptz;
alter table practitioners
  add constraint practitioners_video_captions_file_id_fkey
    foreign key (video_captions_file_id) references stored_files not valid,
  add constraint practitioners_video_transcript_length
    check (char_length(video_transcript) between 1 and 20000) not valid;
