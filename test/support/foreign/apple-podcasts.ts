import { writeForeign } from './write'

const schema = `
  CREATE TABLE ZMTPODCAST (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZHIDDEN INTEGER,
    ZSUBSCRIBED INTEGER, ZADDEDDATE TIMESTAMP, ZFEEDURL VARCHAR, ZUPDATEDFEEDURL VARCHAR, ZTITLE VARCHAR,
    ZAUTHOR VARCHAR, ZUUID VARCHAR);
  CREATE TABLE ZMTEPISODE (Z_PK INTEGER PRIMARY KEY, ZPODCAST INTEGER, ZGUID VARCHAR, ZENCLOSUREURL VARCHAR,
    ZTITLE VARCHAR, ZPUBDATE TIMESTAMP, ZDURATION FLOAT, ZPLAYHEAD FLOAT, ZPLAYSTATE INTEGER,
    ZPLAYSTATESOURCE INTEGER, ZPLAYCOUNT INTEGER, ZHASBEENPLAYED INTEGER, ZLASTUSERMARKEDASPLAYEDDATE TIMESTAMP,
    ZLASTDATEPLAYED TIMESTAMP, ZPLAYSTATELASTMODIFIEDDATE TIMESTAMP, ZSAVED INTEGER, ZASSETURL VARCHAR,
    ZUUID VARCHAR);`

/** Seconds since 2001. */
export const cocoa = (ms: number) => ms / 1000 - 978_307_200

/** A Mac with a followed show that has moved, one heard once, one looked at, and two that cost money. */
export function writeApplePodcasts(path: string, origin: string) {
  const episode = (id: number, podcast: number, guid: string, more: Record<string, string | number | null> = {}) => ({
    Z_PK: id,
    ZPODCAST: podcast,
    ZGUID: guid,
    ZENCLOSUREURL: `${origin}/${guid}.mp3`,
    ZTITLE: `Title ${guid}`,
    ZPUBDATE: cocoa(Date.UTC(2026, 0, 4)),
    ZDURATION: 1800.7,
    ZPLAYHEAD: 0,
    ZPLAYSTATE: 0,
    ZPLAYCOUNT: 0,
    ...more,
  })
  const played = cocoa(Date.UTC(2026, 1, 1, 10)) + 0.25
  return writeForeign(path, schema, {
    ZMTPODCAST: [
      {
        Z_PK: 1,
        ZFEEDURL: `${origin}/former.xml`,
        ZUPDATEDFEEDURL: `${origin}/alpha.xml`,
        ZTITLE: 'Alpha',
        ZSUBSCRIBED: 1,
      },
      { Z_PK: 2, ZFEEDURL: `${origin}/beta.xml`, ZUPDATEDFEEDURL: '', ZTITLE: 'Beta', ZSUBSCRIBED: 0 },
      { Z_PK: 3, ZFEEDURL: `${origin}/looked.xml`, ZTITLE: 'Looked at', ZSUBSCRIBED: 0 },
      { Z_PK: 4, ZFEEDURL: null, ZTITLE: 'Paid', ZSUBSCRIBED: 1 },
      { Z_PK: 5, ZFEEDURL: 'internal://channel/5', ZTITLE: 'Also paid', ZSUBSCRIBED: 1 },
    ],
    ZMTEPISODE: [
      episode(11, 1, 'a1', { ZPLAYHEAD: 90.9, ZPLAYSTATE: 1, ZLASTDATEPLAYED: played }),
      // Finished: everything is set back, and the plays are counted.
      episode(12, 1, 'a2', { ZPLAYCOUNT: 2, ZLASTDATEPLAYED: played }),
      // Heard to the end on another device.
      episode(13, 1, 'a3', { ZHASBEENPLAYED: 1, ZPLAYCOUNT: null, ZLASTDATEPLAYED: null, ZSAVED: 1 }),
      // Followed with "played" for old episodes.
      episode(14, 1, 'a4', { ZPLAYSTATE: 2, ZPLAYSTATESOURCE: 6, ZPLAYHEAD: -1 }),
      // Being heard once more.
      episode(15, 1, 'a5', { ZPLAYCOUNT: 1, ZPLAYSTATE: 1, ZPLAYHEAD: 30, ZLASTDATEPLAYED: played }),
      // Marked by hand; the feed has dropped it.
      episode(16, 1, 'dropped', { ZLASTUSERMARKEDASPLAYEDDATE: played, ZPUBDATE: null, ZDURATION: 0 }),
      // Shares its guid with the first one; a time that nobody has meant.
      episode(21, 2, 'b1', { ZGUID: 'a1', ZPLAYHEAD: 10, ZLASTDATEPLAYED: 9e9, ZPUBDATE: cocoa(Date.UTC(2026, 0, 7)) }),
      // The same, and begun since.
      episode(22, 2, 'b2', { ZPLAYHEAD: 15, ZPLAYSTATE: 2, ZPLAYSTATESOURCE: 6, ZLASTDATEPLAYED: played }),
      episode(41, 4, 'p1', { ZPLAYHEAD: 10 }),
    ],
  })
}
