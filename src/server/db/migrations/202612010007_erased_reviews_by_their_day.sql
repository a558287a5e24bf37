-- Of reviews whose words went with their author's account the stars and the day stay, as of those erased from now on.
delete from review_reports where about = 'reply'
  and review_id in (select id from reviews where client_id is null and comment = '');
update reviews set created_at = date_trunc('day', created_at, 'UTC'), edited_at = null, reply = null, replied_at = null,
  reply_edited_at = null, reply_hidden_at = null, reply_hidden_reason = null
  where client_id is null and comment = '';
