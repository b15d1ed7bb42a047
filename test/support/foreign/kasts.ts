import { writeForeign } from './write'

const schema = `
  CREATE TABLE Feeds (feeduid INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, url TEXT, image TEXT, link TEXT,
    description TEXT, subscribed INTEGER, lastUpdated INTEGER, dirname TEXT);
  CREATE TABLE Entries (entryuid INTEGER PRIMARY KEY AUTOINCREMENT, feeduid INTEGER, id TEXT, title TEXT, content TEXT,
    created INTEGER, updated INTEGER, link TEXT, read BOOL, new BOOL, hasEnclosure BOOL, image TEXT, favorite BOOL,
    playposition INTEGER);
  CREATE TABLE Enclosures (enclosureuid INTEGER PRIMARY KEY AUTOINCREMENT, entryuid INTEGER, feeduid INTEGER,
    duration INTEGER, size INTEGER, title TEXT, type TEXT, url TEXT, playposition INTEGER, downloaded INTEGER);
  CREATE TABLE Queue (listnr INTEGER, entryuid INTEGER, playing BOOL);`

type Entry = [entry: number, feed: number, name: string, more?: Record<string, number>, position?: number]

/** A desktop with three podcasts: begun, played, liked and queued episodes, one that its feed has dropped. */
export function writeKasts(path: string, origin: string, version = 15) {
  const entries: Entry[] = [
    [1, 1, 'a1', {}, 90_500],
    [2, 1, 'a2', { read: 1 }, 0],
    [3, 1, 'a3', { favorite: 1 }],
    // The position of an older version.
    [4, 1, 'a4', { playposition: 30_000 }],
    [5, 1, 'dropped'],
    [6, 2, 'g1', { read: 1 }],
    [7, 1, 'unplayed', { new: 1 }],
  ]
  const rows = {
    Feeds: [
      { feeduid: 1, name: 'Alpha', url: `${origin}/alpha.xml` },
      { feeduid: 2, name: 'Gone', url: `${origin}/gone.xml` },
      { feeduid: 3, name: 'Disk', url: 'file:///home/feed.xml' },
    ],
    Entries: entries.map(([entryuid, feeduid, name, more]) => ({
      entryuid,
      feeduid,
      id: name,
      title: `Title ${name}`,
      created: Date.UTC(2026, 0, entryuid) / 1000,
      read: 0,
      new: 0,
      favorite: 0,
      ...more,
    })),
    Enclosures: entries.map(([entryuid, feeduid, name, , playposition = 0]) => ({
      entryuid,
      feeduid,
      url: `${origin}/${name}.mp3`,
      type: 'audio/mpeg',
      duration: 1800,
      playposition,
      downloaded: 0,
    })),
    Queue: [5, 1].map((entryuid, listnr) => ({ listnr, entryuid, playing: 0 })),
  }
  return writeForeign(path, schema, rows, version)
}
