import { expect, test } from 'bun:test'
import { isOn, startBucketLibrary } from '../../support/bucket-library'
import { noise, silentMp3 } from '../../support/builders'
import { sha } from '../../support/downloads'
import { startSpeechServer } from '../../support/speech-server'

const bytes = Buffer.concat([silentMp3(2), noise(3_000_000, 5)])

async function start() {
  const speech = startSpeechServer()
  const library = await startBucketLibrary({ bytes, env: { TRANSCRIPTION_URL: speech.origin } })
  await library.fill()
  const episode = library.app.context.store.episodes.findByEid(library.idOf())!
  return {
    speech,
    library,
    row: () => library.app.context.store.transcriptions.findOfEpisode(episode.id)!,
    request: () => library.app.transcriptions.request(episode.uuid),
    async [Symbol.asyncDispose]() {
      await library[Symbol.asyncDispose]()
      speech[Symbol.dispose]()
    },
  }
}

test('a file in a bucket is sent from there, byte for byte', async () => {
  await using world = await start()
  await world.request()
  await world.library.app.event('transcriptionProgress', ({ state }) => state === 'done')
  expect(world.speech.heard.map(heard => sha(heard.bytes))).toEqual([sha(bytes)])
})

test('a bucket that is away is nobody’s failure: the file waits, and is sent when it is back', async () => {
  await using world = await start()
  const { s3, now, elapsed, app } = world.library
  s3.goAway()
  await world.request()
  await app.event('transcriptionProgress', ({ state }) => state === 'waiting')
  expect(world.row()).toMatchObject({ error_code: 'media-storage-absent', attempts: 0 })
  expect(world.speech.heard).toEqual([])
  await s3.comeBack()
  now.advance(5 * 60_000)
  elapsed.advance(5 * 60_000)
  await app.context.files.bucket!.ask()
  app.context.transcriptions.pump()
  await app.event('transcriptionProgress', ({ state }) => state === 'done')
  expect(world.speech.heard).toHaveLength(1)
})

test('a file that is cancelled while its bucket does not answer lets the next one begin', async () => {
  await using world = await start()
  const { s3, app } = world.library
  const asked = Promise.withResolvers<void>()
  const fault = s3.fail(
    { kind: 'hang' },
    {
      when: request => {
        const fits = isOn('GET')(request)
        if (fits) asked.resolve()
        return fits
      },
    },
  )
  await world.request()
  await asked.promise
  fault.off()
  await app.transcriptions.cancel(world.row().uuid)
  await app.context.transcriptions.settled()
  await world.request()
  await app.event('transcriptionProgress', ({ state }) => state === 'done')
  expect(world.speech.heard).toHaveLength(1)
})
