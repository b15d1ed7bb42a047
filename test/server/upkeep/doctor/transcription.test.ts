import { expect, test } from 'bun:test'
import { readConfig } from '../../../../src/server/config'
import { examineTranscription } from '../../../../src/server/upkeep/doctor/services'
import { startFeedHost } from '../../../support/feed-host'

const examine = (env: Record<string, string>) => examineTranscription(readConfig(env))

test('a speech server that is not configured is not looked for', async () => {
  expect(await examine({})).toEqual([])
})

test('a speech server that answers is fine, whether it lists models or not', async () => {
  using host = startFeedHost()
  const { host: name } = new URL(host.origin)
  expect(await examine({ TRANSCRIPTION_URL: host.origin })).toEqual([
    { level: 'fine', text: `the speech server ${name} answers` },
  ])
  expect(host.requests.map(({ path }) => path)).toEqual(['/v1/models'])
})

test('a refused key is a problem, and is not repeated', async () => {
  using host = startFeedHost()
  host.on('/v1/models', ({ headers }) => new Response('', { status: headers.has('authorization') ? 401 : 200 }))
  const [finding] = await examine({ TRANSCRIPTION_URL: host.origin, TRANSCRIPTION_KEY: 'sesame' })
  expect(finding!.level).toBe('problem')
  expect(finding!.text).toContain('check TRANSCRIPTION_KEY')
  expect(finding!.text).not.toContain('sesame')
})

test('a speech server that is not there is a problem', async () => {
  expect(await examine({ TRANSCRIPTION_URL: 'http://127.0.0.1:1' })).toMatchObject([
    { level: 'problem', text: expect.stringContaining('Check TRANSCRIPTION_URL') },
  ])
})
