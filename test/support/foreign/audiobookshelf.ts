import { writeForeign } from './write'

const times = 'createdAt DATETIME, updatedAt DATETIME'
const schema = `
  CREATE TABLE users (id UUID PRIMARY KEY, username VARCHAR(255), email VARCHAR(255), pash VARCHAR(255),
    type VARCHAR(255), isActive TINYINT(1), permissions JSON, bookmarks JSON, extraData JSON, ${times});
  CREATE TABLE libraryItems (id UUID PRIMARY KEY, mediaId UUID, mediaType VARCHAR(255), path VARCHAR(255), ${times});
  CREATE TABLE podcasts (id UUID PRIMARY KEY, title VARCHAR(255), author VARCHAR(255), feedURL VARCHAR(255),
    autoDownloadEpisodes TINYINT(1), maxEpisodesToKeep INTEGER, tags JSON, genres JSON, ${times});
  CREATE TABLE podcastEpisodes (id UUID PRIMARY KEY, podcastId UUID, title VARCHAR(255), description TEXT,
    pubDate VARCHAR(255), publishedAt DATETIME, enclosureURL VARCHAR(255), enclosureType VARCHAR(255),
    audioFile JSON, chapters JSON, extraData JSON, ${times});
  CREATE TABLE mediaProgresses (id UUID PRIMARY KEY, userId UUID, mediaItemId UUID, mediaItemType VARCHAR(255),
    duration FLOAT, currentTime FLOAT, isFinished TINYINT(1), finishedAt DATETIME, podcastId UUID, ${times});
  CREATE TABLE playbackSessions (id UUID PRIMARY KEY, userId UUID, mediaItemId UUID, mediaItemType VARCHAR(255),
    displayTitle VARCHAR(255), duration FLOAT, startTime FLOAT, currentTime FLOAT, timeListening INTEGER,
    date VARCHAR(255), ${times});
  CREATE TABLE playlists (id UUID PRIMARY KEY, name VARCHAR(255), description TEXT, userId UUID, libraryId UUID, ${times});
  CREATE TABLE playlistMediaItems (id UUID PRIMARY KEY, playlistId UUID, mediaItemId UUID,
    mediaItemType VARCHAR(255), "order" INTEGER, createdAt DATETIME);`

/** A server with two people, a book, a podcast of files alone, and bookmarks that name no episode. */
export function writeAudiobookshelf(path: string, origin: string) {
  const episode = (id: string, podcast: string, extraData: string | null = JSON.stringify({ guid: id })) => ({
    id: `e-${id}`,
    podcastId: podcast,
    title: `Title ${id}`,
    publishedAt: '2026-01-09 00:00:00.000 +00:00',
    enclosureURL: `${origin}/${id}.mp3`,
    enclosureType: 'audio/mpeg',
    extraData,
  })
  let sessions = 0
  const session = (user: string, of: string, at: string, timeListening: number, type = 'podcastEpisode') => ({
    id: `s${sessions++}`,
    userId: user,
    mediaItemId: of,
    mediaItemType: type,
    timeListening,
    createdAt: `${at} +00:00`,
  })
  let count = 0
  const progress = (user: string, of: string, currentTime: number, isFinished = 0, type = 'podcastEpisode') => ({
    id: `m${count++}`,
    userId: user,
    mediaItemId: of,
    mediaItemType: type,
    duration: 1800.5,
    currentTime,
    isFinished,
    updatedAt: '2026-02-01 10:00:00.250 +00:00',
  })
  const bookmark = (item: string, time: number) => ({
    libraryItemId: item,
    time,
    title: `At ${time}`,
    createdAt: Date.UTC(2026, 1, 1),
  })
  return writeForeign(path, schema, {
    users: [
      {
        id: 'u1',
        username: 'alice',
        type: 'root',
        pash: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
        isActive: 1,
        bookmarks: JSON.stringify([bookmark('i1', 60), bookmark('i2', 70), bookmark('book', 80), 'odd']),
      },
      {
        id: 'u2',
        username: 'zoe',
        type: 'user',
        isActive: 1,
        // U*U
        pash: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
        permissions: '{"upload":true,"delete":true,"accessExplicitContent":true}',
        bookmarks: 'no list',
      },
    ],
    libraryItems: [
      { id: 'i1', mediaId: 'p1', mediaType: 'podcast' },
      { id: 'i2', mediaId: 'p2', mediaType: 'podcast' },
      { id: 'book', mediaId: 'b1', mediaType: 'book' },
    ],
    podcasts: [
      { id: 'p1', title: 'Alpha', feedURL: `${origin}/alpha.xml`, autoDownloadEpisodes: 1, tags: '["Coast"]' },
      { id: 'p2', title: 'Gone', feedURL: `${origin}/gone.xml`, autoDownloadEpisodes: 0, tags: 'broken' },
      { id: 'p3', title: 'Files', feedURL: null },
    ],
    podcastEpisodes: [
      episode('a1', 'p1'),
      // From before guids were kept.
      episode('a2', 'p1', null),
      episode('g1', 'p2'),
      episode('f1', 'p3'),
    ],
    mediaProgresses: [
      progress('u1', 'e-a1', 90.9),
      progress('u1', 'e-a2', 1790, 1),
      progress('u1', 'e-f1', 10),
      progress('u1', 'b1', 500, 0, 'book'),
      progress('u2', 'e-g1', 20),
    ],
    playbackSessions: [
      // The last half of an hour, all of the next, and some of the one after.
      session('u1', 'e-a1', '2026-02-01 10:30:00.000', 1800 + 3600 + 60),
      session('u1', 'e-a1', '2026-02-01 12:10:00.000', 40),
      session('u1', 'e-a2', '2026-02-01 12:30:00.000', 50),
      session('u1', 'b1', '2026-02-01 12:40:00.000', 60, 'book'),
      session('u1', 'e-a1', 'some day', 70),
      session('u2', 'e-a1', '2026-02-01 12:40:00.000', 80),
    ],
    playlists: [{ id: 'l1', name: 'Trip', description: 'For the train', userId: 'u1' }],
    playlistMediaItems: ['e-a2', 'e-a1'].map((mediaItemId, order) => ({
      id: `x${order}`,
      playlistId: 'l1',
      mediaItemId,
      mediaItemType: 'podcastEpisode',
      order,
    })),
  })
}
