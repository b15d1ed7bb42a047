import { expect, test } from 'bun:test'
import { createApi } from '../../src/ui/api'
import { callsOf } from '../../src/ui/api/calls'
import { ApiError, createClient, withSize } from '../../src/ui/api/client'
import { describeFailure } from '../../src/ui/failure'
import { accountFailure } from '../../src/ui/library/forms/account-fields'
import { translate } from '../../src/ui/i18n'
import { createCalls } from '../support/settled'
import { showTexts } from '../support/texts'

/** A client whose requests the test reads and answers. */
function start(answer: (request: Request) => Response | Promise<Response> = () => Response.json({})) {
  const requests: Request[] = []
  const refused: string[] = []
  const client = createClient('/below', {
    fetch: async request => {
      requests.push(request)
      return answer(request)
    },
    authorization: () => 'Basic abc',
    onNotSignedIn: () => void refused.push('not signed in'),
  })
  return { client, requests, refused, last: () => requests.at(-1)! }
}

test('a call goes below the prefix, with the credentials, and without what is not asked for', async () => {
  const { client, last } = start()
  await client.get('/podcasts', { q: 'fog', limit: 0, only: false, from: null, to: undefined, text: '' })
  expect(last().url).toBe('http://localhost/below/api/v1/podcasts?q=fog&limit=0')
  expect(last().headers.get('authorization')).toBe('Basic abc')
  expect(last().headers.has('content-type')).toBe(false)
})

test('a body is JSON, and a session is ended in the name of somebody whom this browser has forgotten', async () => {
  const { client, last } = start(() => new Response(null, { status: 204 }))
  expect(await client.post<undefined>('/tags', { name: 'fog' })).toBeUndefined()
  expect([await last().json(), last().headers.get('content-type')]).toEqual([{ name: 'fog' }, 'application/json'])
  await client.remove('/session', undefined, { as: 'Bearer old' })
  expect([last().method, last().headers.get('authorization')]).toEqual(['DELETE', 'Bearer old'])
})

test('without the server a call is answered by what this device keeps, and a change is not', async () => {
  const kept = new Map<string, { data: unknown; nextCursor: string | null }>()
  const reached: boolean[] = []
  let isDown = false
  const client = createClient('', {
    async fetch({ signal }) {
      if (isDown) return Response.json({ message: 'Bad gateway' }, { status: 502 })
      if (signal.aborted) throw signal.reason
      return Response.json(['fog'], { headers: { 'x-next-cursor': 'two' } })
    },
    answers: {
      keep: (url, { text, nextCursor }) => void kept.set(url, { data: JSON.parse(text), nextCursor }),
      find: async url => kept.get(url) ?? null,
      patience: () => undefined,
      reached: is => void reached.push(is),
    },
  })
  expect(await client.page<string[]>('/podcasts', { limit: 1 })).toEqual({ data: ['fog'], nextCursor: 'two' })
  expect([...kept.keys()]).toEqual(['http://localhost/api/v1/podcasts?limit=1'])
  isDown = true
  expect(await client.page<string[]>('/podcasts', { limit: 1 })).toEqual({ data: ['fog'], nextCursor: 'two' })
  expect(await client.get('/podcasts', { limit: 2 }).catch(({ status }) => status)).toBe(502)
  expect(await client.put('/podcasts').catch(({ status }) => status)).toBe(502)
  expect(reached).toEqual([true, false, false, false])
})

/** A client that waits as long as `patience` says for a server which the test answers for. */
function startImpatient(patience: () => number | undefined, kept: Record<string, unknown> = {}) {
  const reached: boolean[] = []
  const requests = createCalls<[Request], Response>()
  const client = createClient('', {
    fetch: request =>
      Promise.race([
        requests.call(request),
        new Promise<never>((_, reject) => {
          request.signal.addEventListener('abort', () => reject(request.signal.reason as Error))
        }),
      ]),
    answers: {
      keep: () => undefined,
      find: async url => (url in kept ? { data: kept[url], nextCursor: null } : null),
      patience,
      reached: is => void reached.push(is),
    },
  })
  return { client, reached, requests }
}

test('a server that does not begin to answer is given up, and one that answers slowly is not', async () => {
  const { client, reached, requests } = startImpatient(() => 1, { 'http://localhost/api/v1/silent': ['rain'] })
  const slow = client.get('/slow')
  const { signal } = requests.calls[0]!.args[0]
  const body = Promise.withResolvers<void>()
  const stream = new ReadableStream({
    async start(controller) {
      signal.addEventListener('abort', () => controller.error(signal.reason))
      await body.promise
      controller.enqueue(new TextEncoder().encode('["fog"]'))
      controller.close()
    },
  })
  await requests.answer(new Response(stream, { headers: { 'content-type': 'application/json' } }))
  // Begun later, so it ends after the time of the slow one as well.
  expect(await client.get('/silent')).toEqual(['rain'])
  body.resolve()
  expect(await slow).toEqual(['fog'])
  expect(reached).toEqual([true, false])
})

test('a server that has answered something else in the meantime is given time without limit', async () => {
  const isOver = Promise.withResolvers<undefined>()
  let looks = 0
  const { client, reached, requests } = startImpatient(() => (looks++ === 0 ? 1 : void isOver.resolve(undefined)))
  const answer = client.get('/slow')
  await isOver.promise
  await requests.answer(Response.json(['fog']))
  expect([await answer, reached]).toEqual([['fog'], [true]])
})

test('without anything to show instead, a server is given time without limit, and a failed call tells when it is back', async () => {
  const kept = { 'http://localhost/api/v1/known': ['rain'] }
  const { client, requests } = startImpatient(() => 1, kept)
  const unknown = client.get('/unknown')
  // Begun later, so the time of the first is over as well.
  expect(await client.get('/known')).toEqual(['rain'])
  const refused = client.put('/known').catch((error: ApiError) => error)
  requests.calls[2]!.refuse(new TypeError('Failed to fetch'))
  const { whenReached } = (await refused) as ApiError
  requests.calls[0]!.answer(Response.json(['fog']))
  expect(await unknown).toEqual(['fog'])
  await whenReached
})

test('a page comes with the address of the next one, and a text as a text', async () => {
  const { client } = start(({ url }) =>
    url.endsWith('text') ? new Response('<opml/>') : Response.json([1], { headers: { 'X-Next-Cursor': 'more' } }),
  )
  expect(await client.page<number[]>('/timeline', {})).toEqual({ data: [1], nextCursor: 'more' })
  expect(await client.get<string>('/text')).toBe('<opml/>')
})

test('the function of a route puts its first values into the path, and sends the next as query or body', async () => {
  const { client, last } = start()
  const { get, page, post, put, remove } = callsOf(client)
  const leaving = new AbortController()

  await get('/podcasts/:id/:term/search')('1', 'fog & sea/ice', leaving.signal)
  expect([last().method, last().url]).toEqual([
    'GET',
    'http://localhost/below/api/v1/podcasts/1/fog%20%26%20sea%2Fice/search',
  ])
  leaving.abort()
  expect(last().signal.aborted).toBe(true)

  await page('/episodes/yours/:list')('liked', { cursor: null, limit: 5 })
  expect(last().url).toBe('http://localhost/below/api/v1/episodes/yours/liked?limit=5')
  await put('/tags/:id')('a', { name: 'fog' })
  expect([last().method, last().url, await last().json()]).toEqual([
    'PUT',
    'http://localhost/below/api/v1/tags/a',
    { name: 'fog' },
  ])
  await post('/tags/:id/:podcast')('a', 'b')
  expect([last().method, last().url, last().body]).toEqual(['POST', 'http://localhost/below/api/v1/tags/a/b', null])
  await remove('/session')(undefined, { as: 'Bearer old' })
  expect([last().method, last().headers.get('authorization')]).toEqual(['DELETE', 'Bearer old'])
})

test('a refusal tells its code, its status and its arguments', async () => {
  const { client } = start(() =>
    Response.json(
      { errorCode: 'podcast-already-added', message: 'already', arguments: { name: 'Fog' } },
      { status: 409 },
    ),
  )
  const error = await client.get('/podcasts').catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 409, code: 'podcast-already-added', args: { name: 'Fog' } })
})

test('a refusal of something in between is unexpected', async () => {
  const { client } = start(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))
  expect(await client.get('/podcasts').catch((error: unknown) => error)).toMatchObject({
    status: 502,
    code: 'unexpected',
  })
})

test('a server that cannot be reached is offline, and a call that was given up is not', async () => {
  const { client } = start(() => Promise.reject(new TypeError('failed to fetch')))
  expect(await client.get('/podcasts').catch((error: unknown) => error)).toMatchObject({ status: 0, code: 'offline' })
  const giveUp = AbortSignal.abort(new Error('given up'))
  expect(await client.get('/podcasts', {}, giveUp).catch((error: Error) => error)).not.toBeInstanceOf(ApiError)
})

test('somebody who is not signed in any more is noticed, and nobody else', async () => {
  const { client, refused } = start(({ url }) => new Response('{}', { status: url.endsWith('401') ? 401 : 403 }))
  await client.get('/403').catch(() => undefined)
  expect(refused).toEqual([])
  await client.get('/401').catch(() => undefined)
  expect(refused).toEqual(['not signed in'])
})

test('calls of somebody who types can be given up', async () => {
  const { client, requests } = start(() => Response.json({ results: [], feeds: [], episodes: [] }))
  const api = createApi(client)
  const typing = new AbortController()
  await Promise.all([
    api.search.find({ q: 'fog' }, null, typing.signal),
    api.search.episodes('fog', typing.signal),
    api.directory.itunes('fog', typing.signal),
    api.directory.podindex('fog', typing.signal),
    api.system.previewNaming({} as never, typing.signal),
    api.podcasts.episodes('p', {}, null, typing.signal),
    api.timeline.page({}, null, typing.signal),
  ])
  typing.abort()
  expect(requests.filter(request => !request.signal.aborted).map(({ url }) => url)).toEqual([])
})

test('an answer that did not change is the same object, and is not sent again', async () => {
  let version = 'one'
  const { client, requests } = start(request => {
    const etag = `W/"${version}"`
    if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: { etag } })
    return Response.json([version], { headers: { etag } })
  })
  const first = await client.get('/tags')
  expect(await client.get('/tags')).toBe(first)
  expect(await client.get('/tags', { q: 'other' })).toEqual(['one'])
  version = 'two'
  expect(await client.get('/tags')).toEqual(['two'])
  expect(requests.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, 'W/"one"', null, 'W/"one"'])
})

test('a cover is asked for in the size that it is shown in', () => {
  expect([withSize('/covers/1', 64), withSize('/covers/1?v=2', 512)]).toEqual([
    '/covers/1?size=64',
    '/covers/1?v=2&size=512',
  ])
})

await showTexts('en', (await Bun.file('locales/en.json').json()) as Record<string, string>)

test('an error is described in words, with what it is about', () => {
  const error = new ApiError(409, 'podcast-already-added', 'already', { name: 'Fog' })
  expect(describeFailure(error)).toBe('Podcast Fog already added')
})

test('an error without words of its own is unexpected, and so is one that is no answer', () => {
  const unexpected = translate('error.unexpected')
  const errors = [new ApiError(500, 'nobody-knows', 'x'), new Error('bug'), 'text', null]
  expect(errors.map(describeFailure)).toEqual(errors.map(() => unexpected))
})

test('somebody who may add nothing at all is not told how many are left', () => {
  const [none, some] = ['0', '5'].map(limit =>
    describeFailure(new ApiError(403, 'podcast-limit-reached', 'x', { limit })),
  )
  expect([none === some, some!.includes('5'), none!.includes('0')]).toEqual([false, true, false])
})

test('a failure of an account stands at its field', () => {
  const at = (code: string, args = {}) => accountFailure(new ApiError(422, code, 'x', args)).at
  expect([at('username-taken'), at('password-too-weak'), at('invalid-field', { field: 'username' })]).toEqual([
    'username',
    'password',
    'username',
  ])
  expect([at('unexpected'), accountFailure(new Error('bug')).at]).toEqual(['form', 'form'])
  const rule = accountFailure(new ApiError(422, 'invalid-field', 'x', { field: 'username' })).reason
  expect(rule).toBe(translate('username-rule'))
})
