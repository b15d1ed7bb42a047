import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { DATABASE_FILE } from '../../../src/server/data-folder'
import { refusal, startTestApp } from '../../support/app'
import { spoken } from '../../support/speech-server'
import { plantSpeech } from '../../support/transcribing'
import { openBeside } from '../../support/other-writer'

type World = Awaited<ReturnType<typeof plantSpeech>>

/** A world whose only file is being sent to a server that does not answer. */
async function startSending(world: World) {
  await world.download()
  const heard = Promise.withResolvers<void>()
  world.speech.on(() => {
    heard.resolve()
    return Promise.withResolvers<Response>().promise
  })
  await world.request()
  await heard.promise
}

/** The same library after a restart. */
const restart = (world: World) =>
  startTestApp({ folder: world.app.folder, env: { TRANSCRIPTION_URL: world.speech.origin } })

test('a file that nobody had answered is sent again after a restart, and that was no failure', async () => {
  await using world = await plantSpeech()
  await startSending(world)
  await world.app.context.transcriptions.stop()
  expect(world.stateOf()).toMatchObject({ state: 'queued', attempts: 0, rests: 0, error_code: null })
  world.speech.on(() => Response.json(spoken))
  await using again = await restart(world)
  again.context.transcriptions.pump()
  await again.event('transcriptionProgress', ({ state }) => state === 'done')
  expect(world.speech.heard).toHaveLength(2)
})

test('an answer that a killed process had kept is stored without sending anything', async () => {
  await using world = await plantSpeech()
  await startSending(world)
  const { id } = world.stateOf()!
  await world.app.context.transcriptions.stop()
  world.store.transcriptions.acknowledge(id, 'digest', Buffer.from(JSON.stringify(spoken)))
  // As a kill leaves it.
  world.store.transcriptions.start(id, world.now())
  await using again = await restart(world)
  again.context.transcriptions.pump()
  await again.event('transcriptionProgress', ({ state }) => state === 'done')
  expect(world.speech.heard).toHaveLength(1)
  expect((await world.transcript()).segments).toHaveLength(3)
})

test('a restart tries at once what waited for the server, since the settings may be others', async () => {
  await using world = await plantSpeech()
  world.speech.on(() => new Response('', { status: 401 }))
  await world.download()
  await world.request()
  await world.reached('Fog', 'waiting')
  world.speech.on(() => Response.json(spoken))
  await using again = await startTestApp({
    folder: world.app.folder,
    now: world.now,
    env: { TRANSCRIPTION_URL: world.speech.origin, TRANSCRIPTION_KEY: 'right' },
  })
  again.context.transcriptions.pump()
  await again.event('transcriptionProgress', ({ state }) => state === 'done')
})

test('an answer whose file was removed meanwhile is still worth storing', async () => {
  await using world = await plantSpeech()
  await startSending(world)
  const { id } = world.stateOf()!
  await world.app.context.transcriptions.stop()
  world.store.transcriptions.acknowledge(id, 'digest', Buffer.from(JSON.stringify(spoken)))
  await world.app.episodes.removeDownload(world.row().eid)
  await using again = await restart(world)
  again.context.transcriptions.pump()
  await again.event('transcriptionProgress', ({ state }) => state === 'done')
  expect(world.speech.heard).toHaveLength(1)
  expect((await world.transcript()).segments).toHaveLength(3)
})

test('a process killed over a file without speech leaves its answer, and the file fails after the restart', async () => {
  await using world = await plantSpeech()
  await startSending(world)
  const { id } = world.stateOf()!
  await world.app.context.transcriptions.stop()
  world.store.transcriptions.acknowledge(id, 'digest', Buffer.from('{"text":"","segments":[]}'))
  // No failure can be recorded, as if the process were killed right before that.
  using db = openBeside(join(world.app.folder, DATABASE_FILE))
  db.run("CREATE TRIGGER t BEFORE UPDATE OF error_code ON transcription BEGIN SELECT raise(ABORT, 'no'); END")
  await using killed = await restart(world)
  killed.context.transcriptions.pump()
  await killed.context.transcriptions.stop()
  expect(world.stateOf()!.state).toBe('running')
  expect(world.store.transcriptions.hasAnswer(id)).toBeTrue()
  db.run('DROP TRIGGER t')
  await using again = await restart(world)
  again.context.transcriptions.pump()
  await again.context.transcriptions.settled()
  expect(world.stateOf()).toMatchObject({ state: 'failed', error_code: 'no-speech' })
  expect(world.speech.heard).toHaveLength(1)
})

test('a disk that is full when a transcription begins keeps nothing from beginning later', async () => {
  await using world = await plantSpeech()
  world.speech.on(() => Response.json(spoken))
  await world.download()
  using db = openBeside(join(world.app.folder, DATABASE_FILE))
  db.run(`CREATE TRIGGER full BEFORE UPDATE OF state ON transcription WHEN new.state = 'running'
          BEGIN SELECT RAISE(ABORT, 'full'); END`)
  expect(await refusal(world.request())).not.toBeNull()
  expect(world.stateOf()).toMatchObject({ state: 'queued' })
  db.run('DROP TRIGGER full')
  world.app.context.transcriptions.pump()
  await world.reached('Fog', 'done')
  expect(world.speech.heard).toHaveLength(1)
})
