import { expect, test } from 'bun:test'
import { findLocalFile } from '../../../src/server/http/media/local-file'
import { startTestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

test('a file that is deleted or moved while the disk is asked is not opened', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(1)
  await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{ enclosure: host.file('/1.mp3', silentMp3(1)) }] })))
  await app.event('downloadFinished')
  const { context } = app
  const { store, files, rename, admin } = context
  const media = store.episodes.requireMedia(admin, store.episodes.find(1)!.uuid)

  expect(await findLocalFile(context, media)).toMatchObject({ isWhole: true })
  const moving = { ...context, rename: { ...rename, isMoving: (id: number) => id === media.id } }
  expect(await findLocalFile(moving, media)).toBeNull()
  const factsOf = async (path: string) => {
    const facts = await files.folder.factsOf(path)
    store.episodes.dropFile(media.id)
    return facts
  }
  expect(
    await findLocalFile({ ...context, files: { ...files, folder: { ...files.folder, factsOf } } }, media),
  ).toBeNull()
})
