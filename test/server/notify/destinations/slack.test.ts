import { expect, test } from 'bun:test'
import { MINUTE, SECOND } from '../../../../src/server/platform/clock'
import type { DestinationRequest } from '../../../../src/shared/api/notification'
import { episodesOf, startNews, wishes } from '../../../support/destinations'

const hook = '/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX'

const slackAt = (address: string): DestinationRequest => ({
  kind: 'slack',
  address,
  ...wishes,
  events: ['newEpisodes', 'backupFailed'],
})

test('Slack gets a text with a link, which mentions nobody and formats nothing', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  await root.destinations.create(slackAt(`${receiver.origin}${hook}/`))
  app.context.destinations.record(rootId, episodesOf('<!channel> *Lighthouse*', 'Fog & <@U024BE7LH>'))
  await news.pass(10 * SECOND)
  expect(receiver.jsonTo(hook)).toEqual([
    {
      text: [
        '&lt;!channel&gt; *Lighthouse*',
        'New episode: Fog &amp; &lt;@U024BE7LH&gt;',
        '<http://localhost/ui/podcasts/%3C!channel%3E%20*Lighthouse*/episodes/Fog%20&amp;%20%3C@U024BE7LH%3E>',
      ].join('\n'),
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
    },
  ])
})

test('a long text is cut to what Slack advises, and keeps its link', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  await root.destinations.create(slackAt(receiver.origin + hook))
  app.context.destinations.record(rootId, { types: ['backupFailed'], facts: { reason: '🌫'.repeat(5000) } })
  await news.pass(10 * SECOND)
  const [title, text = '', link] = (receiver.jsonTo(hook)[0] as { text: string }).text.split('\n')
  expect(title).toBe('⚠️ The backup failed')
  expect([...`${title}\n${text}`].length).toBeLessThanOrEqual(4000)
  expect(text.replaceAll('🌫', '')).toBeOneOf(['', '…'])
  expect(link).toBe('<http://localhost/ui/settings/backups>')
})

test.each([404, 410])(
  'a webhook to which Slack answers %i is asked once, until it gets another address',
  async status => {
    await using news = await startNews()
    const { root, rootId, app, receiver } = news
    const { id } = await root.destinations.create(slackAt(receiver.origin + hook))
    receiver.answer(hook, () => new Response('no_service', { status }))
    const { record } = app.context.destinations
    record(rootId, episodesOf('Lighthouse', 'Fog'))
    await news.pass(10 * SECOND)
    record(rootId, episodesOf('Lighthouse', 'Tea'))
    await news.pass(5 * MINUTE)
    expect(receiver.received).toHaveLength(1)
    expect((await root.destinations.list())[0]).toMatchObject({ hasEnded: true, lastStatus: status, waiting: 0 })
    expect(await root.destinations.edit(id, { address: `${receiver.origin}${hook}2` })).toMatchObject({
      hasEnded: false,
    })
  },
)

test.each(['/', '/services/', '/services/T1/B1', '/api/webhooks/1/abc', `${hook}/more`])(
  'an address that ends with %s is no webhook of Slack',
  async path => {
    await using news = await startNews()
    const { root, receiver } = news
    await expect(root.destinations.create(slackAt(receiver.origin + path))).rejects.toMatchObject({
      code: 'invalid-field',
      args: { field: 'address' },
    })
  },
)
