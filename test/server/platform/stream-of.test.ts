import { expect, test } from 'bun:test'
import { streamOf } from '../../../src/server/platform/stream-of'

function startParts(most: number) {
  const seen = { read: 0, isClosed: false }
  async function* parts() {
    try {
      for (; seen.read < most; seen.read++) yield Uint8Array.of(seen.read)
    } finally {
      seen.isClosed = true
    }
  }
  return { seen, stream: streamOf(parts()) }
}

test('nothing is read before it is asked for', async () => {
  const { seen, stream } = startParts(100)
  const reader = stream.getReader()
  for (const part of [0, 1, 2]) expect((await reader.read()).value).toEqual(Uint8Array.of(part))
  await new Promise(setImmediate)
  expect(seen.read).toBe(2)
})

test('a reader that goes away ends the reading', async () => {
  const { seen, stream } = startParts(100)
  const reader = stream.getReader()
  await reader.read()
  await reader.cancel()
  expect(seen).toEqual({ read: 0, isClosed: true })
})

test('it ends with the last part, and fails as its source does', async () => {
  expect(await Bun.readableStreamToBytes(startParts(3).stream)).toEqual(Uint8Array.of(0, 1, 2))
  async function* failing() {
    yield Uint8Array.of(1)
    throw new Error('the disk is gone')
  }
  await expect(Bun.readableStreamToBytes(streamOf(failing()))).rejects.toThrow('the disk is gone')
})
