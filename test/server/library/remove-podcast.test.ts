import { expect, test } from 'bun:test'
import { createRemovals, createRemovePodcast } from '../../../src/server/library/removals'
import { startTestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

/** Starts a server with a podcast of two downloaded episodes. */
async function plant() {
  const host = startFeedHost()
  const app = await startTestApp()
  app.prefill(2)
  const items = [1, 2].map(second => ({ enclosure: host.file(`/${second}.mp3`, silentMp3(second)) }))
  const feed = host.feed('/feed.xml', rss({ items }))
  const podcast = await app.podcasts.add(feed)
  await Promise.all([1, 2].map(episodeId => app.event('downloadFinished', event => event.episodeId === episodeId)))
  await app.context.downloads.settled()
  const { store, admin } = app.context
  return {
    app,
    feed,
    row: store.podcasts.require(admin, podcast.id),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host[Symbol.dispose]()
    },
  }
}

test('a file that goes while its podcast is removed is not kept for the same podcast, added again', async () => {
  await using here = await plant()
  const { app, feed, row } = here
  const { store, keptFiles } = app.context
  const removals = createRemovals({
    ...app.context,
    keptFiles: {
      ...keptFiles,
      async keepOfRemoved(files) {
        const kept = keptFiles.keepOfRemoved(files)
        store.episodes.dropFile(1)
        await kept
      },
    },
  })
  const remove = createRemovePodcast({ ...app.context, removals })
  await remove(row, false)
  app.prefill(0)
  const again = await app.podcasts.add(feed)
  const kept = store.keptFiles.ofPodcast(store.podcasts.require(app.context.admin, again.id).id)
  await app.context.downloads.settled()
  const { data } = await app.podcasts.episodes(again.id, {}, null)
  // The other file is kept: either it still waits for its episode, or the episode has it already.
  expect(kept.length + data.filter(({ podcastEpisode }) => podcastEpisode.status).length).toBe(1)
})

test('files to delete are noted before the first one is deleted, so that a crash leaves none behind', async () => {
  await using here = await plant()
  const { app, row } = here
  const { store, forgotten } = app.context
  const noted: number[] = []
  const removals = createRemovals({
    ...app.context,
    forgotten: {
      ...forgotten,
      async remove(path) {
        noted.push(store.forgottenFiles.list().length)
        await forgotten.remove(path)
      },
    },
  })
  await createRemovePodcast({ ...app.context, removals })(row, true)
  expect(noted).toEqual([2, 1])
})
