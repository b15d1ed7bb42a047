-- Where the files of a move are and how they come, as JSON; null = they stay with the other program.
ALTER TABLE move ADD COLUMN files TEXT;
