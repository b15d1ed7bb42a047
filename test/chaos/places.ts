import { join } from 'node:path'
import { inBucket } from '../support/bucket'
import { viewBucket, type BucketView } from '../support/bucket-view'
import { startS3Server } from '../support/s3-server'
import type { BucketPlace } from '../support/s3-server/signed'
import { startVersitygw } from '../support/versitygw'

export type Places = Awaited<ReturnType<typeof startPlaces>>

const PREFIX = 'castellan/'

/** A place outside the data folder for media and for the replica: they outlive the machine that is wiped. */
export async function startPlaces(
  folder: string,
  storage: 'folder' | 's3',
  { find, say }: { find: (program: string) => string | null; say: (text: string) => void },
) {
  const versitygw = find('versitygw')
  const service = versitygw ? await startVersitygw(versitygw, join(folder, 's3')) : null
  if (!service && storage === 's3') say('versitygw is not installed: the bucket is that of the tests')
  const own = !service && storage === 's3' ? await startS3Server() : null
  const place: BucketPlace | null = service ?? own
  const media = join(folder, 'media')
  return {
    env: storage === 's3' && place ? inBucket(place) : { PODCAST_DIRECTORY: media },
    media,
    bucket: storage === 's3' && place ? mediaIn(viewBucket(place)) : null,
    replica: service ? replicaIn(service) : { url: `file://${join(folder, 'replica')}`, env: {} },
    async [Symbol.asyncDispose]() {
      await service?.[Symbol.asyncDispose]()
      own?.[Symbol.dispose]()
    },
  }
}

/** The place of Litestream's copy, and what it needs to reach it. */
export type ReplicaPlace = { url: string; env: Record<string, string> }

const replicaIn = ({ endpoint, settings: { bucket, accessKey, secretKey } }: BucketPlace): ReplicaPlace => ({
  url: `s3://${bucket}/replica?endpoint=${endpoint}&force-path-style=true`,
  env: { LITESTREAM_ACCESS_KEY_ID: accessKey, LITESTREAM_SECRET_ACCESS_KEY: secretKey },
})

export type MediaBucket = ReturnType<typeof mediaIn>

/** The files of the library in a bucket, by the paths that its rows have. */
const mediaIn = (view: BucketView) => ({
  async files() {
    const objects = (await view.objects()).filter(({ key }) => key.startsWith(PREFIX))
    return new Map(objects.map(object => [object.key.slice(PREFIX.length), object]))
  },
  bytes: (path: string) => view.bytes(PREFIX + path),
  remove: (path: string) => view.remove(PREFIX + path),
  uploads: async () =>
    (await view.uploads())
      .filter(({ key }) => key.startsWith(PREFIX))
      .map(({ key, begun }) => ({ path: key.slice(PREFIX.length), begun })),
})
