import type { Environment } from '../../src/server/config'
import type { TestApp } from './app'
import type { BucketPlace } from './s3-server/signed'

/** The configuration of a library whose new media go to a bucket. */
export const inBucket = ({ endpoint, settings }: BucketPlace, more: Environment = {}): Environment => ({
  MEDIA_STORAGE: 's3',
  S3_ENDPOINT: endpoint,
  S3_BUCKET: settings.bucket,
  S3_REGION: settings.region,
  S3_ACCESS_KEY: settings.accessKey,
  S3_SECRET_KEY: settings.secretKey,
  S3_PREFIX: 'castellan',
  ...more,
})

/** Tries again at once, since a test waits for nothing. */
export const hasty = { pauses: [0, 0, 0] }

/** Waits until the bucket is known to be there. */
export const bucketFound = ({ context }: TestApp) => context.files.bucket!.ask()
