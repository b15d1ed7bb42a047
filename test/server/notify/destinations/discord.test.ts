import { expect, test } from 'bun:test'
import { MINUTE, SECOND } from '../../../../src/server/platform/clock'
import type { DestinationRequest } from '../../../../src/shared/api/notification'
import { episodesOf, startNews, wishes } from '../../../support/destinations'

const hook = '/api/webhooks/223704706495545344/3d89bb7572e0-fb30_d8'

const discordAt = (address: string, more: Partial<DestinationRequest> = {}): DestinationRequest => ({
  kind: 'discord',
  address,
  ...wishes,
  events: ['newEpisodes', 'feedFailing', 'backupFailed'],
  ...more,
})

test('Discord gets a text with a link, which mentions nobody and formats nothing', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  await root.destinations.create(discordAt(`${receiver.origin}${hook}/?thread_id=7`))
  app.context.destinations.record(rootId, episodesOf('@everyone *Lighthouse*', '- [Fog](http://x)', '<@1> a_b_c \\'))
  await news.pass(10 * SECOND)
  const path = `${hook}?thread_id=7&wait=true`
  expect(receiver.jsonTo(path)).toEqual([
    {
      content: [
        String.raw`**@everyone \*Lighthouse\***`,
        '2 new episodes',
        String.raw`\- \[Fog\](http://x)`,
        String.raw`\<@1\> a\_b\_c \\`,
        '<http://localhost/ui/podcasts/@everyone%20*Lighthouse*/episodes>',
      ].join('\n'),
      allowed_mentions: { parse: [] },
    },
  ])
  const [{ headers } = { headers: new Headers() }] = receiver.to(path)
  expect(headers.get('content-type')).toBe('application/json')
  expect(headers.get('authorization')).toBeNull()
})

test('what went wrong is marked', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  await root.destinations.create(discordAt(receiver.origin + hook))
  app.context.destinations.record(rootId, { types: ['backupFailed'], facts: { reason: 'The disk is away' } })
  await news.pass(10 * SECOND)
  expect(receiver.jsonTo(`${hook}?wait=true`)[0]!.content).toBe(
    '⚠️ **The backup failed**\nThe disk is away\n<http://localhost/ui/settings/backups>',
  )
})

test.each(['x', '🌫', '*', '\\', '🌫*'])(
  'a text of many %j is cut to what Discord takes, and keeps its link',
  async piece => {
    await using news = await startNews()
    const { root, rootId, app, receiver } = news
    await root.destinations.create(discordAt(receiver.origin + hook))
    app.context.destinations.record(rootId, { types: ['backupFailed'], facts: { reason: piece.repeat(3000) } })
    await news.pass(10 * SECOND)
    const { content } = receiver.jsonTo(`${hook}?wait=true`)[0] as { content: string }
    const link = '…\n<http://localhost/ui/settings/backups>'
    expect(content).toEndWith(link)
    expect(content.length).toBeLessThanOrEqual(2000)
    expect(content.length).toBeGreaterThan(1990)
    const [, , text = ''] = /^(.*)\n(.*)\n/.exec(content)!
    const escaped = piece.replace(/[*\\]/g, String.raw`\$&`)
    // Whole characters, and no backslash that would escape the ellipsis.
    expect(text.slice(0, -1).replaceAll(escaped, '')).toBeOneOf(['', '🌫'])
  },
)

test('Discord is given the pause that it asks for', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  await root.destinations.create(discordAt(receiver.origin + hook))
  const limited = { message: 'You are being rate limited.', retry_after: 64.57, global: false }
  receiver.answer(hook, () => Response.json(limited, { status: 429, headers: { 'Retry-After': '65' } }))
  app.context.destinations.record(rootId, episodesOf('Lighthouse', 'Fog'))
  await news.pass(10 * SECOND)
  await news.pass(64 * SECOND)
  expect(receiver.received).toHaveLength(1)
  expect((await root.destinations.list())[0]).toMatchObject({ lastFailure: 'refused', lastStatus: 429, waiting: 1 })
  receiver.answer(hook, () => Response.json({ id: '1' }))
  await news.pass(SECOND)
  expect(receiver.received).toHaveLength(2)
  expect((await root.destinations.list())[0]).toMatchObject({ waiting: 0, hasEnded: false })
})

test('a webhook that Discord has deleted is asked once, until another address is entered', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  const { id } = await root.destinations.create(discordAt(receiver.origin + hook))
  receiver.answer(hook, () => Response.json({ message: 'Unknown Webhook', code: 10015 }, { status: 404 }))
  const { record } = app.context.destinations
  record(rootId, episodesOf('Lighthouse', 'Fog'))
  await news.pass(10 * SECOND)
  record(rootId, episodesOf('Lighthouse', 'Tea'))
  await news.pass(5 * MINUTE)
  expect(receiver.received).toHaveLength(1)
  expect((await root.destinations.list())[0]).toMatchObject({ hasEnded: true, lastStatus: 404, waiting: 0 })

  const other = '/api/v10/webhooks/9/abc'
  expect(await root.destinations.edit(id, { address: receiver.origin + other })).toMatchObject({ hasEnded: false })
  record(rootId, episodesOf('Lighthouse', 'Rum'))
  await news.pass(10 * SECOND)
  expect(receiver.jsonTo(`${other}?wait=true`)[0]!.content).toContain('Rum')
})

test.each(['/', '/api/webhooks/', '/api/webhooks/1', '/api/webhooks/x/y', `${hook}/slack`, `${hook}/messages/1`])(
  'an address that ends with %s is no webhook of Discord',
  async path => {
    await using news = await startNews()
    const { root, receiver } = news
    await expect(root.destinations.create(discordAt(receiver.origin + path))).rejects.toMatchObject({
      code: 'invalid-field',
      args: { field: 'address' },
    })
  },
)
