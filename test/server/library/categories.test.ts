import { expect, test } from 'bun:test'
import { findCategories } from '../../../src/ui/api/library'
import { startTestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

test('podcasts are grouped by their widest categories, once in each, the largest group first', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const within = (wide: string, narrow: string) =>
    `<itunes:category text="${wide}"><itunes:category text="${narrow}"/></itunes:category>`
  const add = (title: string, extra: string) => app.podcasts.add(host.feed(`/${title}.xml`, rss({ title, extra })))
  const bread = await add('Bread', within('Arts', 'Food'))
  const tides = await add('Tides', within('Science', 'Earth') + within('Science', 'Nature'))
  const comets = await add('Comets', within('Science', 'Astronomy') + within('Arts', 'Design'))
  const moths = await add('Moths', within('Science', 'Nature'))
  await add('Plain', '')
  expect(await findCategories(app.client)).toEqual([
    { name: 'Science', podcastIds: [tides.id, comets.id, moths.id] },
    { name: 'Arts', podcastIds: [bread.id, comets.id] },
  ])
})
