import { writeForeign } from './write'

const schema = `
  CREATE TABLE Users (UserID INTEGER, Fullname TEXT, Username TEXT, Email TEXT, Hashed_PW TEXT, IsAdmin BOOLEAN);
  CREATE TABLE AppSettings (AppSettingsID INTEGER, EncryptionKey TEXT);
  CREATE TABLE Podcasts (PodcastID INTEGER, PodcastIndexID INTEGER, PodcastName TEXT, Description TEXT, FeedURL TEXT,
    Explicit BOOLEAN, UserID INTEGER, AutoDownload BOOLEAN, StartSkip INTEGER, EndSkip INTEGER, Username TEXT,
    Password TEXT, IsYouTubeChannel BOOLEAN, PlaybackSpeed NUMERIC, PlaybackSpeedCustomized BOOLEAN);
  CREATE TABLE Episodes (EpisodeID INTEGER, PodcastID INTEGER, EpisodeTitle TEXT, EpisodeDescription TEXT,
    EpisodeURL TEXT, EpisodeArtwork TEXT, EpisodePubDate TEXT, EpisodeDuration INTEGER, Completed BOOLEAN,
    EpisodeGUID TEXT);
  CREATE TABLE UserEpisodeHistory (UserEpisodeHistoryID INTEGER, UserID INTEGER, EpisodeID INTEGER, ListenDate TEXT,
    ListenDuration INTEGER);
  CREATE TABLE EpisodeQueue (QueueID INTEGER, QueueDate TEXT, UserID INTEGER, EpisodeID INTEGER,
    QueuePosition INTEGER, is_youtube BOOLEAN);
  CREATE TABLE SavedEpisodes (SaveID INTEGER, UserID INTEGER, EpisodeID INTEGER, SaveDate TEXT);
  CREATE TABLE Collections (CollectionID INTEGER, UserID INTEGER, Name TEXT, IsDefault BOOLEAN);
  CREATE TABLE CollectionEpisodes (CollectionEpisodeID INTEGER, CollectionID INTEGER, EpisodeID INTEGER,
    VideoID INTEGER);
  CREATE TABLE Playlists (PlaylistID INTEGER, UserID INTEGER, Name TEXT, IsSystemPlaylist BOOLEAN);
  CREATE TABLE PlaylistContents (PlaylistContentID INTEGER, PlaylistID INTEGER, EpisodeID INTEGER, VideoID INTEGER,
    Position INTEGER);
  CREATE TABLE GpodderSyncEpisodeActions (ActionID INTEGER, UserID INTEGER, DeviceID INTEGER, PodcastURL TEXT,
    EpisodeURL TEXT, Action TEXT, Timestamp INTEGER, Started INTEGER, Position INTEGER, Total INTEGER);`

type Row = Record<string, string | number | null>

/** Everything that a dump escapes, and letters of two, three and four bytes. */
export const oddTitle = 'Gone\tand "back"\nit\'s \\ C:\\new; ü € 🎧'

/** Looks like statements of a dump, to a reader that does not mind its quotes. */
const trap = `');\nINSERT INTO \`Users\` VALUES (9,'mallory');\nCOPY public."Users" (userid) FROM stdin;\n\\.\n`

const [admin, alice, zoe] = [2, 3, 4]

/** Writes the tables of a server as an SQLite database, to be dumped: three people, of whom two share feeds. */
export function writePinepods(path: string, origin: string) {
  const podcast = (PodcastID: number, UserID: number, name: string, more: Row = {}): Row => ({
    PodcastID,
    UserID,
    PodcastName: name,
    FeedURL: `${origin}/${name.toLowerCase()}.xml`,
    AutoDownload: 0,
    StartSkip: 0,
    EndSkip: 0,
    IsYouTubeChannel: 0,
    PlaybackSpeed: 1,
    PlaybackSpeedCustomized: 0,
    ...more,
  })
  const episode = (EpisodeID: number, PodcastID: number, name: string, more: Row = {}): Row => ({
    EpisodeID,
    PodcastID,
    EpisodeTitle: `Title ${name}`,
    EpisodeURL: `${origin}/${name}.mp3`,
    EpisodeGUID: name,
    EpisodePubDate: '2026-01-03 00:00:00',
    EpisodeDuration: 1800,
    Completed: 0,
    ...more,
  })
  let rows = 100
  const played = (UserID: number, EpisodeID: number, ListenDuration: number | null, ListenDate: string | null) => ({
    UserEpisodeHistoryID: rows++,
    UserID,
    EpisodeID,
    ListenDate,
    ListenDuration,
  })
  const reported = (name: string, Action: string, Position: number, Timestamp: number) => ({
    ActionID: rows++,
    UserID: alice,
    PodcastURL: `${origin}/alpha.xml`,
    EpisodeURL: `${origin}/${name}.mp3`,
    Action,
    Timestamp,
    Position,
    Total: 1800,
  })
  return writeForeign(path, schema, {
    Users: [
      { UserID: 1, Username: 'background_tasks', IsAdmin: 0 },
      { UserID: admin, Username: 'admin', Hashed_PW: '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA', IsAdmin: 1 },
      { UserID: alice, Username: 'alice', IsAdmin: 0 },
      { UserID: zoe, Username: 'zoe', IsAdmin: 0 },
    ],
    AppSettings: [{ AppSettingsID: 1, EncryptionKey: trap }],
    Podcasts: [
      podcast(1, admin, 'Alpha', { AutoDownload: 1, PlaybackSpeed: 1.5, PlaybackSpeedCustomized: 1, StartSkip: 30 }),
      podcast(2, alice, 'Alpha', { PlaybackSpeed: 2 }),
      podcast(3, admin, 'Members'),
      podcast(4, alice, 'Members', { Username: 'mara', Password: 'sea:side' }),
      podcast(5, admin, 'Gone', { PodcastName: oddTitle, Description: trap }),
      podcast(6, admin, 'Video', { FeedURL: 'https://www.youtube.com/channel/UCabc', IsYouTubeChannel: 1 }),
      podcast(7, alice, 'Local', { FeedURL: 'local://7' }),
      podcast(8, zoe, 'Beta'),
    ],
    Episodes: [
      episode(11, 1, 'a1'),
      episode(12, 1, 'a2', { Completed: 1 }),
      episode(13, 1, 'a3', { Completed: 1 }),
      episode(14, 1, 'a4', { EpisodeGUID: null }),
      episode(15, 1, 'a5'),
      episode(16, 1, 'dropped', { EpisodePubDate: '2021-01-01 00:00:00', EpisodeDescription: '<p>About\tit</p>' }),
      episode(21, 2, 'a1'),
      episode(22, 2, 'a2'),
      episode(23, 2, 'a4', { EpisodeGUID: null, EpisodeDuration: null }),
      episode(41, 4, 'm1'),
      // Two episodes with one guid.
      episode(51, 5, 'g1', { EpisodeGUID: 'same', EpisodePubDate: '2026-01-01 00:00:00' }),
      episode(52, 5, 'g2', { EpisodeGUID: 'same', EpisodePubDate: '2026-01-02 00:00:00', EpisodeTitle: oddTitle }),
      episode(61, 6, 'v1', { Completed: 1 }),
      episode(81, 8, 'b1'),
    ],
    UserEpisodeHistory: [
      played(admin, 11, 600, '2026-03-01 10:00:00'),
      played(admin, 12, 1700, '2026-03-01 11:00:00'),
      played(admin, 14, 0, '2026-03-01 12:00:00'),
      played(admin, 15, -1, '2026-03-01 12:00:00'),
      played(admin, 51, 30, null),
      played(admin, 52, 40, '2026-03-01 13:00:00'),
      played(admin, 61, 50, '2026-03-01 13:00:00'),
      played(alice, 21, 100, '2026-03-02 10:00:00.25'),
      // An episode of somebody else, who has played it to the end; the time is as a column with a zone has it.
      played(alice, 13, 200, '2026-03-02 11:00:00+00'),
      played(alice, 23, null, '2026-03-02 10:00:00'),
      played(zoe, 81, 700, '2026-03-02 10:00:00'),
    ],
    // Rows of its queue are not in the order of the queue, and the ids of videos are those of episodes.
    EpisodeQueue: [
      { QueueID: 1, UserID: alice, EpisodeID: 41, QueuePosition: 10, is_youtube: 0 },
      { QueueID: 2, UserID: alice, EpisodeID: 23, QueuePosition: 9, is_youtube: 0 },
      { QueueID: 3, UserID: alice, EpisodeID: 11, QueuePosition: 8, is_youtube: 1 },
    ],
    SavedEpisodes: [{ SaveID: 1, UserID: admin, EpisodeID: 16, SaveDate: '2026-03-03 10:00:00' }],
    Collections: [
      { CollectionID: 1, UserID: admin, Name: 'Saved', IsDefault: 1 },
      { CollectionID: 2, UserID: alice, Name: 'Trip', IsDefault: 0 },
    ],
    CollectionEpisodes: [
      { CollectionEpisodeID: 1, CollectionID: 2, EpisodeID: 22, VideoID: null },
      { CollectionEpisodeID: 2, CollectionID: 2, EpisodeID: 21, VideoID: null },
      { CollectionEpisodeID: 3, CollectionID: 2, EpisodeID: null, VideoID: 11 },
    ],
    Playlists: [
      { PlaylistID: 1, UserID: admin, Name: 'Fresh Releases', IsSystemPlaylist: 1 },
      { PlaylistID: 2, UserID: admin, Name: 'Commute', IsSystemPlaylist: 0 },
    ],
    PlaylistContents: [
      { PlaylistContentID: 1, PlaylistID: 1, EpisodeID: 11, Position: 1 },
      { PlaylistContentID: 2, PlaylistID: 2, EpisodeID: 11, Position: 10 },
      { PlaylistContentID: 3, PlaylistID: 2, EpisodeID: 16, Position: 9 },
    ],
    GpodderSyncEpisodeActions: [
      reported('a2', 'play', 50, 1_772_300_000),
      reported('a2', 'Play', 1795, 1_772_400_000),
      reported('a2', 'download', 0, 1_772_500_000),
      reported('a2', 'play', -1, 1_772_500_000),
    ],
  })
}
