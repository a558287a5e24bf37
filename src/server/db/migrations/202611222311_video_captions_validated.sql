-- no transaction
-- Rows that were there before are checked while others go on writing.
alter table practitioners validate constraint practitioners_video_captions_file_id_fkey;
alter table practitioners validate constraint practitioners_video_transcript_length;
