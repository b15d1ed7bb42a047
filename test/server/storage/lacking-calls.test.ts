import { expect, test } from 'bun:test'
import { keyOf, startBucketLibrary } from '../../support/bucket-library'
import { noise, silentMp3 } from '../../support/builders'
import type { SeenRequest } from '../../support/s3-server'
import { settled, stateOf } from '../../support/downloads'

// Services that speak S3 and lack a part of it.

const small = silentMp3(30)
const listsUploads = ({ method, query }: SeenRequest) => method === 'GET' && query.has('uploads')
const said = (lines: readonly string[], what: string) => lines.filter(line => line.includes(what)).length

test.each([
  [501, 'NotImplemented'],
  [405, 'MethodNotAllowed'],
  [400, 'NotImplemented'],
  [403, 'AccessDenied'],
])('a bucket that answers %d (%s) to listing uploads is used, noted once and not asked again', async (status, code) => {
  await using library = await startBucketLibrary({ bytes: small, titles: ['Fog', 'Rain', 'Snow'] })
  library.s3.fail({ kind: 'refuse', status, code }, { when: listsUploads })
  await library.restart()
  library.s3.forgetRequests()
  await library.fill()
  await library.app.context.files.bucket!.sweepUploads(Number.POSITIVE_INFINITY)
  await library.app.context.files.bucket!.sweepUploads(Number.POSITIVE_INFINITY)

  const { lines } = library.app
  expect(library.s3.keys()).toEqual(['Fog', 'Rain', 'Snow'].map(keyOf))
  expect(said(lines, 'does not list unfinished uploads')).toBe(1)
  expect([said(lines, 'storage cannot be reached'), said(lines, 'storage can be reached again')]).toEqual([0, 0])
  expect(library.s3.requests.filter(listsUploads).length).toBeLessThanOrEqual(1)
})

test('a file that a bucket without uploads in parts cannot take fails with its reason, and the bucket stays there', async () => {
  await using library = await startBucketLibrary({ bytes: Buffer.concat([small, noise(12_000_000, 3)]) })
  const begins = ({ method, query }: SeenRequest) => method === 'POST' && query.has('uploads')
  library.s3.fail({ kind: 'refuse', status: 501, code: 'NotImplemented' }, { when: begins })
  await library.download()
  await settled(library.app, 'waiting')
  const state = await stateOf(library.app)
  expect(state).toMatchObject({ errorCode: 'unexpected', attempts: 1 })
  expect(state!.message).toContain('lacks a call: it answered 501 (NotImplemented)')
  expect(library.s3.requests.filter(begins)).toHaveLength(1)
  expect([said(library.app.lines, 'storage cannot be reached'), library.app.context.files.bucket!.isPresent()]).toEqual(
    [0, true],
  )
})

test('a bucket that lists only in the first version of the call is listed to its end', async () => {
  await using library = await startBucketLibrary({ bytes: small })
  const { bucket } = library.app.context.files
  await library.fill()
  const [file] = await Array.fromAsync(bucket!.list())
  const names = ['a', 'b', 'c', 'd', 'e'].map(name => `Weather/${name}.mp3`)
  const asked: (string | null)[] = []
  using old = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const marker = new URL(request.url).searchParams.get('marker')
      asked.push(marker)
      const left = names.filter(name => marker === null || `castellan/${name}` > marker)
      const contents = left.slice(0, 2).map(name => `<Contents><Key>castellan/${name}</Key><Size>7</Size></Contents>`)
      return new Response(
        `<ListBucketResult><IsTruncated>${left.length > 2}</IsTruncated>${contents.join('')}</ListBucketResult>`,
      )
    },
  })
  await library.restart({ S3_ENDPOINT: `http://127.0.0.1:${old.port}` })
  const listed = await Array.fromAsync(library.app.context.files.bucket!.list())
  expect(file!.path).toBe('Weather/Fog/Fog.mp3')
  expect(listed.map(({ path }) => path)).toEqual(names)
  // The application lists the bucket at its start, too.
  expect([...new Set(asked)]).toEqual([null, 'castellan/Weather/b.mp3', 'castellan/Weather/d.mp3'])
})
