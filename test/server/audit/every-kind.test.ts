import { expect, test } from 'bun:test'
import { createInstance } from 'i18next'
import type { AuditEntry } from '../../../src/shared/api/audit'
import { localeFormat, type Texts, languages } from '../../../src/shared/languages'
import { changesOf, objectsOf, whoOf } from '../../../src/ui/pages/administration/activity-tab'
import type { RefusedAttempt } from '../../../src/server/platform/events'
import { allCases, lineOf } from '../../support/acts'
import { asAdmin, envOf, redirectUri, type World } from '../../support/acts/world'
import { startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { startOpenIdProvider } from '../../support/openid-provider'

const ways: Record<RefusedAttempt['way'], true> = {
  password: true,
  code: true,
  passkey: true,
  key: true,
  invite: true,
  'app-token': true,
  openid: true,
  proxy: true,
}
const reasons: Record<RefusedAttempt['reason'] | 'unknown-name', true> = {
  'wrong-password': true,
  'unknown-name': true,
  'wrong-code': true,
  'wrong-passkey': true,
  'wrong-key': true,
  'wrong-token': true,
  'unknown-invitation': true,
  'not-accepted': true,
  'too-many-attempts': true,
}

async function startWorld() {
  const provider = await startOpenIdProvider({ redirectUri })
  const host = startFeedHost()
  // The tokens of a real provider are of this moment.
  const clock = startClock(Date.now())
  const folder = temporaryFolder()
  const start = () => startTestApp({ env: envOf(provider), now: clock, folder })
  let app = await start()
  const lines: string[] = []
  const world: World & { memory: object } = {
    origin: 'http://localhost',
    fetch: request => Promise.resolve(app.app.handle(request)),
    now: clock,
    provider,
    host,
    secrets: [],
    memory: {
      get app() {
        return app
      },
      advance: clock.advance,
      async restart(between: () => void) {
        await app[Symbol.asyncDispose]()
        lines.push(...app.lines)
        between()
        app = await start()
      },
    },
  }
  return {
    world,
    lines: () => [...lines, ...app.lines],
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
      provider[Symbol.dispose]()
    },
  }
}

test('every kind of act has a row, a line of the log in its form, and a sentence in every language', async () => {
  await using here = await startWorld()
  const { world, lines } = here
  const rows = async () => {
    const all: AuditEntry[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const path = `/api/v1/audit?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
      const answer = await asAdmin(world, '198.51.100.3').send('GET', path)
      all.push(...((await answer.json()) as AuditEntry[]))
      cursor = answer.headers.get('x-next-cursor')
    }
    return all
  }
  const seen: AuditEntry[] = []
  for (const { kind, what, cause, from, isCommand } of allCases) {
    const before = new Set((await rows()).map(({ id }) => id))
    const printed = lines().length
    const expected = { kind, address: from, ...(await cause(world, from)) }
    const fresh = (await rows()).filter(({ id }) => !before.has(id))
    const found = fresh.find(entry => Bun.deepMatch(expected, entry))
    expect({ what, found: found ?? fresh }).toMatchObject({ what, found: expected })
    seen.push(found!)
    const written = lines()
      .slice(printed)
      .map(line => /^\S+ info {2}(.*)$/.exec(line)?.[1])
    if (!isCommand) expect({ what, written }).toEqual({ what, written: expect.arrayContaining([lineOf(found!)]) })
  }

  const refused = seen.filter(({ kind }) => kind === 'sign-in-refused')
  expect(new Set(refused.map(({ via }) => via))).toEqual(new Set(Object.keys(ways)))
  expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(Object.keys(reasons)))

  const everything = JSON.stringify(await rows()) + lines().join('\n')
  expect(world.secrets.length).toBeGreaterThan(100)
  expect(world.secrets.filter(text => everything.includes(text))).toEqual([])

  for (const language of Object.keys(languages)) {
    const translation = (await Bun.file(`locales/${language}.json`).json()) as Texts
    const t = await createInstance().init({
      ...localeFormat,
      lng: language,
      resources: { [language]: { translation } },
    })
    for (const entry of seen) {
      const words = [
        whoOf(t, entry),
        t(`act-${entry.kind}`),
        t(`activity-topic-${entry.topic}`),
        ...objectsOf(t, entry),
        ...changesOf(t, entry).flatMap(change => Object.values(change)),
      ]
      // A text that is missing is its key.
      expect({
        language,
        words: words.filter(word => /^(act|activity|role|setting|replace)-|undefined|^remove$/.test(word)),
      }).toEqual({
        language,
        words: [],
      })
    }
  }
}, 60_000)
