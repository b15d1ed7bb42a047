-- Codes for the interface, with their arguments as JSON; messages are in English.
ALTER TABLE move ADD COLUMN error_code TEXT;
ALTER TABLE move ADD COLUMN error_args TEXT;
ALTER TABLE move_podcast ADD COLUMN error_args TEXT;
UPDATE move
   SET error_code = iif(message = 'Cancelled', 'cancelled', 'unexpected'),
       error_args = iif(message = 'Cancelled', NULL, json_object('detail', message))
 WHERE message IS NOT NULL;
