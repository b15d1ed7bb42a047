import { readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { temporaryFolder } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startExecutable } from '../../support/executable'
import { startFeedHost } from '../../support/feed-host'
import { spoken, startRawServer } from '../../support/speech-server'

const main = join(import.meta.dir, '../../../src/server/main.ts')
const BYTES = 2_000_000_000
const ALLOWED_BYTES = 160_000_000

/** Memory of a process of its own, without what it shares with the files that it reads. */
const ownBytes = (pid: number) =>
  Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024

test('a file of 2 GB is sent in memory that stays flat, while the server answers', async () => {
  const answer = JSON.stringify(spoken)
  let received = 0
  using speech = await startRawServer((socket, bytes) => {
    received = bytes
    if (bytes < BYTES + 300) return
    socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${answer.length}\r\nConnection: close\r\n\r\n${answer}`)
  })
  using host = startFeedHost()
  const folder = temporaryFolder()
  await using server = await startExecutable(
    { DATA_DIRECTORY: folder, DISK_RESERVE: '0', TRANSCRIPTION_URL: speech.origin },
    [process.execPath, main],
  )
  const items = [{ title: 'Fog', enclosure: host.file('/fog.mp3', silentMp3(2)) }]
  const feed = { rssFeedUrl: host.feed('/feed.xml', rss({ items })), first_downloads: 1 }
  const { id } = await server.api<{ id: string }>('/podcasts/feed', feed)
  const find = async () =>
    (
      await server.api<{ podcastEpisode: { id: string; status: boolean; has_transcript: boolean } }[]>(
        `/podcasts/${id}/episodes`,
      )
    )[0]!.podcastEpisode
  while (!(await find()).status) await Bun.sleep(20)
  truncateSync(join(folder, 'podcasts/Lighthouse Radio/Fog/Fog.mp3'), BYTES)
  const before = ownBytes(server.process.pid)
  await server.api(`/podcasts/episodes/${(await find()).id}/transcription`, {})
  let most = before
  while (!(await find()).has_transcript) {
    most = Math.max(most, ownBytes(server.process.pid))
    await Bun.sleep(50)
  }
  expect(received).toBeGreaterThan(BYTES)
  expect(most - before).toBeLessThan(ALLOWED_BYTES)
}, 300_000)
