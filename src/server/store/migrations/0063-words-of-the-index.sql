-- The words of both search indexes, for those that begin with what was typed.
CREATE VIRTUAL TABLE title_words USING fts5vocab (title_index, instance);
CREATE VIRTUAL TABLE text_words USING fts5vocab (text_index, instance);
