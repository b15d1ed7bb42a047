import { expect, test } from 'bun:test'
import english from '../../../../locales/en.json'
import { SECOND } from '../../../../src/server/platform/clock'
import type { DestinationRequest } from '../../../../src/shared/api/notification'
import { startTestApp } from '../../../support/app'
import { episodesOf, plantHook, startNews, webhookAt, wishes } from '../../../support/destinations'
import { createSubscription, readVapid } from '../../../support/push-subscription'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Computed from the documented rule, not by our code. */
async function isSigned(secret: string, { headers, text }: { headers: Headers; text: string }): Promise<boolean> {
  const [, at, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers.get('x-castellan-signature') ?? '')!
  const utf8 = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', utf8.encode(secret), algorithm, false, ['verify'])
  return crypto.subtle.verify('HMAC', key, Uint8Array.fromHex(signature!), utf8.encode(`${at}.${text}`))
}

test('a webhook gets the facts as JSON, signed over the time and the body', async () => {
  await using news = await startNews({ SERVER_URL: 'https://pod.example/castle' })
  const { root, rootId, app, clock, receiver } = news
  const { secret } = await root.destinations.create(webhookAt(`${receiver.origin}/hook?a=b`))
  app.context.destinations.record(rootId, episodesOf('Lighthouse', 'Fog', 'Föhn'))
  const createdAt = new Date(clock()).toISOString()
  await news.pass(10 * SECOND)

  const [sent] = receiver.to('/hook?a=b')
  const body = JSON.parse(sent!.text)
  const url = 'https://pod.example/castle/ui/podcasts/Lighthouse/episodes'
  expect(body).toEqual({
    id: expect.stringMatching(uuid),
    type: 'newEpisodes',
    createdAt,
    title: 'Lighthouse',
    text: '2 new episodes\nFog\nFöhn',
    url,
    data: {
      episodeCount: 2,
      podcastCount: 1,
      podcasts: [{ id: 'Lighthouse', title: 'Lighthouse', episodeCount: 2 }],
      episodes: ['Fog', 'Föhn'].map(title => ({
        id: title,
        title,
        podcastId: 'Lighthouse',
        podcastTitle: 'Lighthouse',
        url: `${url}/${title}`,
      })),
    },
  })
  const { headers } = sent!
  expect(headers.get('content-type')).toBe('application/json')
  expect(headers.get('idempotency-key')).toBe(body.id)
  expect(headers.get('x-castellan-event')).toBe('newEpisodes')
  expect(headers.get('x-castellan-signature')).toStartWith(`t=${clock() / SECOND},`)
  expect(secret).toStartWith('whsec_')
  expect(await isSigned(secret!, sent!)).toBe(true)
  expect(await isSigned(secret!, { headers, text: `${sent!.text} ` })).toBe(false)
  expect(await isSigned('whsec_other', sent!)).toBe(false)
})

test('a browser gets a message that it alone can read, from a server that its push service knows', async () => {
  await using news = await startNews()
  const { root, rootId, app, clock, receiver } = news
  const browser = await createSubscription(`${receiver.origin}/push/1`)
  const other = await createSubscription(`${receiver.origin}/push/2`)
  await root.destinations.create({
    kind: 'push',
    subscription: browser.subscription,
    ...wishes,
    events: ['newEpisodes'],
  })
  app.context.destinations.record(rootId, episodesOf('Leuchtturm', 'Nebel 🌫'))
  await news.pass(10 * SECOND)

  const [sent] = receiver.to('/push/1')
  const notice = JSON.parse(await browser.decrypt(sent!.body))
  expect(notice).toEqual({
    key: expect.stringMatching(uuid),
    title: 'Leuchtturm',
    text: 'New episode: Nebel 🌫',
    path: 'podcasts/Leuchtturm/episodes/Nebel 🌫',
  })
  expect(await other.decrypt(sent!.body).catch(() => 'unreadable')).toBe('unreadable')
  const { headers } = sent!
  expect(headers.get('content-encoding')).toBe('aes128gcm')
  expect(headers.get('ttl')).toBe('86400')
  expect(headers.get('topic')).toBe(notice.key.replaceAll('-', ''))
  const claims = await readVapid(headers.get('authorization')!, await root.destinations.pushKey())
  expect(claims.aud).toBe(receiver.origin)
  expect(claims.exp).toBeGreaterThan(clock() / SECOND)
})

test('a message that is too long for a push service is cut', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  const browser = await createSubscription(`${receiver.origin}/push/1`)
  await root.destinations.create({
    kind: 'push',
    subscription: browser.subscription,
    ...wishes,
    events: ['newEpisodes'],
  })
  const titles = Array.from({ length: 20 }, (_, index) => `${index}${'🌫'.repeat(99)}`)
  app.context.destinations.record(rootId, episodesOf('🎧'.repeat(100), ...titles))
  await news.pass(10 * SECOND)
  const [sent] = receiver.to('/push/1')
  expect(sent!.body.byteLength).toBeLessThanOrEqual(4096)
  expect(JSON.parse(await browser.decrypt(sent!.body)).text).toEndWith('🌫…')
})

test('the key for push services survives a restart', async () => {
  const folder = await (async () => {
    await using app = await startTestApp()
    const key = await app.destinations.pushKey()
    expect(Buffer.from(key, 'base64url')).toHaveLength(65)
    return { folder: app.folder, key }
  })()
  await using again = await startTestApp({ folder: folder.folder })
  expect(await again.destinations.pushKey()).toBe(folder.key)
  await using another = await startTestApp()
  expect(await another.destinations.pushKey()).not.toBe(folder.key)
})

test('ntfy gets JSON at its root, with titles in any script and the access token', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  const ntfy = { kind: 'ntfy', ...wishes, events: ['newEpisodes'] } as const
  const at = (topic: string, more: Partial<DestinationRequest>): DestinationRequest => ({
    ...ntfy,
    events: ['newEpisodes'],
    address: `${receiver.origin}/${topic}`,
    ...more,
  })
  await root.destinations.create(at('token/', { token: 'tk_123' }))
  await root.destinations.create(at('person', { token: 'mara:se:cret' }))
  await root.destinations.create(at('open', {}))
  app.context.destinations.record(rootId, episodesOf('Маяк', 'Туман'))
  await news.pass(10 * SECOND)

  const sent = new Map(
    receiver.to('/').map(({ text, headers }) => [JSON.parse(text).topic as string, { text, headers }]),
  )
  const body = JSON.parse(sent.get('token')!.text)
  expect(body).toEqual({
    topic: 'token',
    title: 'Маяк',
    message: 'New episode: Туман',
    tags: ['headphones'],
    priority: 3,
    click: 'http://localhost/ui/podcasts/Маяк/episodes/Туман',
    sequence_id: sent.get('token')!.headers.get('idempotency-key')!,
  })
  const authorizations = ['token', 'person', 'open'].map(topic => sent.get(topic)!.headers.get('authorization'))
  expect(authorizations).toEqual(['Bearer tk_123', `Basic ${btoa('mara:se:cret')}`, null])
})

test('a live stream is good news', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  await root.destinations.create({ kind: 'ntfy', address: `${receiver.origin}/t`, ...wishes, events: ['liveStarted'] })
  const facts = { podcastId: 'p', podcastTitle: 'Lighthouse', title: 'Storm' }
  app.context.destinations.record(rootId, { types: ['liveStarted'], facts })
  await news.pass(10 * SECOND)
  expect(receiver.jsonTo('/')).toMatchObject([
    { title: 'Lighthouse', message: 'Live now: Storm', tags: ['headphones'] },
  ])
})

test('Gotify gets the token in a header, below a path as well', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  for (const address of [`${receiver.origin}/push/`, `${receiver.origin}/push/message`])
    await root.destinations.create({ kind: 'gotify', address, token: 'AbC', ...wishes, events: ['newEpisodes'] })
  app.context.destinations.record(rootId, episodesOf('Lighthouse', 'Fog'))
  await news.pass(10 * SECOND)
  const sent = receiver.to('/push/message')
  expect(sent).toHaveLength(2)
  expect(sent[0]!.headers.get('x-gotify-key')).toBe('AbC')
  expect(JSON.parse(sent[0]!.text)).toEqual({
    title: 'Lighthouse',
    message: 'New episode: Fog',
    priority: 4,
    extras: {
      'client::notification': { click: { url: 'http://localhost/ui/podcasts/Lighthouse/episodes/Fog' } },
      'castellan::delivery': { id: sent[0]!.headers.get('idempotency-key') },
    },
  })
})

test('an Apprise API gets title, body and type', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  const address = `${receiver.origin}/notify/castle`
  await root.destinations.create({ kind: 'apprise', address, ...wishes, events: ['downloadFailed'] })
  const { facts } = episodesOf('Lighthouse', 'Fog') as Extract<
    ReturnType<typeof episodesOf>,
    { facts: { episodes: unknown } }
  >
  app.context.destinations.record(rootId, { types: ['downloadFailed'], facts })
  await news.pass(10 * SECOND)
  expect(receiver.jsonTo('/notify/castle')).toEqual([
    {
      title: 'Lighthouse',
      body: 'Download failed: Fog\nhttp://localhost/ui/podcasts/Lighthouse/episodes/Fog',
      type: 'warning',
      format: 'text',
    },
  ])
})

test('every kind says what its form asks for, and has an icon and its texts', async () => {
  await using news = await startNews()
  const kinds = await news.root.destinations.kinds()
  expect(kinds[0]).toMatchObject({ kind: 'push', label: null, fields: [] })
  expect(kinds.find(({ kind }) => kind === 'ntfy')).toMatchObject({
    label: 'ntfy',
    fields: [
      { name: 'address', isRequired: true },
      { name: 'token', isRequired: false },
    ],
  })
  for (const { icon } of kinds) expect(icon).not.toBeEmpty()
  const texts = kinds.flatMap(({ kind, label, fields }) => [
    `destination-text-${kind}`,
    ...(label === null ? [`destination-${kind}`] : []),
    ...fields.flatMap(({ name }) => [`destination-${name}-${kind}`, `destination-${name}-help-${kind}`]),
  ])
  expect(texts.filter(key => !(key in english))).toEqual([])
})

test('what a kind asks for is required, when it is added and when it is changed', async () => {
  await using news = await startNews()
  const { root, receiver } = news
  const gotify = { kind: 'gotify', address: receiver.origin, ...wishes, events: [] }
  const refused = (field: string) => ({ code: 'invalid-field', args: { field } })
  for (const { kind, fields } of await root.destinations.kinds())
    for (const { name } of fields.filter(({ isRequired }) => isRequired)) {
      const request = { kind, address: `${receiver.origin}/notify/a`, token: 'AbC', ...wishes, events: [] }
      await expect(root.destinations.create({ ...request, [name]: undefined })).rejects.toMatchObject(refused(name))
    }
  const { id } = await root.destinations.create({ ...gotify, token: 'AbC' })
  await expect(root.destinations.edit(id, { token: ' ' })).rejects.toMatchObject(refused('token'))
  await expect(root.destinations.create({ ...gotify, kind: 'pigeon' })).rejects.toMatchObject(refused('kind'))
  await expect(root.destinations.create({ ...gotify, kind: 'toString' })).rejects.toMatchObject(refused('kind'))
})

test('a destination of a kind that only a newer version knows stays, with what waits for it', async () => {
  await using news = await startNews()
  const { app, root, rootId } = news
  const id = plantHook(app, rootId, 'Loft', { kind: 'pigeon', events: ['newEpisodes'] })
  app.context.destinations.record(rootId, episodesOf('Lighthouse', 'Fog'))
  await news.pass(10 * SECOND)
  const [shown] = await root.destinations.list()
  expect(shown).toMatchObject({ id, kind: 'pigeon', lastFailure: 'unexpected', waiting: 1 })
  expect(await root.destinations.test(id)).toEqual({ failure: 'unexpected', status: null })
  expect(await root.destinations.edit(id, { name: 'Dovecote' })).toMatchObject({ name: 'Dovecote', kind: 'pigeon' })
  await expect(root.destinations.edit(id, { address: 'http://8.8.8.8/' })).rejects.toMatchObject({
    code: 'invalid-field',
    args: { field: 'kind' },
  })
})

test('a message is in the language of the page that made its destination', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  for (const language of ['de-DE', 'uk', 'xx', '__proto__'])
    await root.destinations.create(webhookAt(`${receiver.origin}/${language}`, { language }))
  app.context.destinations.record(rootId, episodesOf('Lighthouse', 'Fog', 'Tea'))
  await news.pass(10 * SECOND)
  const said = ['de-DE', 'uk', 'xx', '__proto__'].map(path => receiver.jsonTo(`/${path}`)[0]!.text.split('\n')[0])
  expect(said).toEqual(['2 neue Folgen', '2 нові випуски', '2 new episodes', '2 new episodes'])
})
