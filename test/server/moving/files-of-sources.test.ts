import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startClock, startTestApp, temporaryFolder } from '../../support/app'
import { silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { writeAntennapod } from '../../support/foreign/antennapod'
import { writeAudiobookshelf } from '../../support/foreign/audiobookshelf'
import { reportOf } from '../../support/foreign/dump'
import { writeGpodder } from '../../support/foreign/gpodder'
import { writeKasts } from '../../support/foreign/kasts'
import { writePodfetch } from '../../support/foreign/podfetch'
import { changeForeign } from '../../support/foreign/write'
import { moveIn, openWorld } from './world'

const sound = silentMp3(1)
const audioFile = JSON.stringify({ metadata: { path: '/podcasts/Alpha/one.mp3', size: sound.length } })

/** The way in which each program says that the episode `a1` has a file, and that another one has not. */
const programs = {
  PodFetch: {
    write: (path: string, origin: string) => writePodfetch(path, origin, 'C'),
    sql: `UPDATE podcast_episodes SET file_episode_path = './podcasts/Alpha/one.mp3', download_location = 'Local'
           WHERE guid = 'a1' AND name = 'Title a1';
          UPDATE podcast_episodes SET file_episode_path = 'Alpha/two.mp3', download_location = 'S3' WHERE guid = 'a2'`,
    from: 'podcasts',
    report: ['files left-out no-file: 1', 'files taken: 1'],
  },
  'an older PodFetch': {
    write: (path: string, origin: string) => writePodfetch(path, origin, 'A'),
    sql: `UPDATE podcast_episodes SET file_episode_path = 'podcasts/Alpha/one.mp3'
           WHERE guid = 'a1' AND name = 'Title a1';
          ALTER TABLE podcast_episodes DROP COLUMN download_location`,
    from: './podcasts/',
    report: ['files taken: 1'],
  },
  Audiobookshelf: {
    write: writeAudiobookshelf,
    sql: `UPDATE podcastEpisodes SET audioFile = '${audioFile}' WHERE id = 'e-a1';
          UPDATE podcastEpisodes SET audioFile = '[1' WHERE id = 'e-a2'`,
    from: '/podcasts',
    report: ['files taken: 1'],
  },
  gPodder: {
    write: writeGpodder,
    sql: `UPDATE podcast SET download_folder = 'Alpha';
          UPDATE episode SET state = 1, download_filename = 'one.mp3', file_size = ${sound.length} WHERE guid = 'a1'`,
    from: '',
    report: ['files taken: 1'],
  },
  AntennaPod: {
    write: writeAntennapod,
    sql: `UPDATE FeedMedia SET downloaded = 1, filesize = ${sound.length},
            file_url = '/storage/emulated/0/Android/data/de.danoeh.antennapod/files/media/Alpha/one.mp3'
           WHERE feeditem = 1`,
    from: '',
    report: ['files taken: 1'],
  },
  Kasts: {
    write: writeKasts,
    sql: `UPDATE Feeds SET dirname = 'Alpha' WHERE name = 'Alpha';
          UPDATE Enclosures SET downloaded = 4 WHERE entryuid IN (1, 2)`,
    from: '',
    file: (origin: string) => `Alpha/Title a1.${sumOf(`${origin}/a1.mp3`)}.mp3`,
    report: ['files left-out no-file: 1', 'files taken: 1'],
  },
}

/** The six digits that Kasts puts into the name of a file. */
const sumOf = (address: string) => new Bun.CryptoHasher('md5').update(address).digest('hex').slice(0, 6)

for (const [name, { write, sql, from, report, ...more }] of Object.entries(programs))
  test(`the files of ${name} come from the folder that stands for its own`, async () => {
    using host = startFeedHost()
    openWorld(host)
    await using app = await startTestApp({ now: startClock() })
    app.prefill(0)
    const to = temporaryFolder()
    const place = 'file' in more ? more.file(host.origin) : 'Alpha/one.mp3'
    mkdirSync(dirname(join(to, place)))
    writeFileSync(join(to, place), sound)
    const path = write(join(temporaryFolder(), 'source'), host.origin)
    changeForeign(path, sql)
    await moveIn(app, path, app.context.admin, { folders: [{ from, to }], way: 'link' })
    expect(reportOf(app.folder).filter(line => line.startsWith('files'))).toEqual(report)
    const [file] = app.context.store.episodes.allWithFiles()
    expect(app.context.store.episodes.find(file!.id)).toMatchObject({ guid: 'a1', file_size: sound.length })
  })
