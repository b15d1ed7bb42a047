-- FTS5 merges sixteen parts of an index at once instead of four, so that an import rewrites each word half as often. When
-- the server rests, it merges the rest. Above 64 parts, which nothing reaches, FTS5 would merge all of them at once.
INSERT INTO title_index (title_index, rank) VALUES ('automerge', 16), ('crisismerge', 64);
INSERT INTO text_index (text_index, rank) VALUES ('automerge', 16), ('crisismerge', 64);
