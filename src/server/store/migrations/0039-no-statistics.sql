-- Earlier versions kept the statistics of the planner, also those of a library with one podcast and one episode: tables
-- that had grown since were read from end to end. Without statistics, every plan is the one that the tests hold.
DROP TABLE IF EXISTS sqlite_stat1;
DROP TABLE IF EXISTS sqlite_stat4;
