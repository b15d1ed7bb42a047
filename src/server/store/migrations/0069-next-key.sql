-- The action of the "next" key of headphones, keyboards and lock screens: the next episode, or forward.
ALTER TABLE user ADD COLUMN next_key TEXT NOT NULL DEFAULT 'episode';
