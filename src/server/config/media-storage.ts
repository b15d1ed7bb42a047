import { storageNames, type StorageName } from '../store/file-place'
import { readChoice, readFlag, readText, report, type Reader } from './reader'

/** A bucket for media files, and the key that opens it. */
export type BucketSettings = Readonly<{
  /** The address of the service, without a slash at the end. */
  endpoint: string
  bucket: string
  region: string
  accessKey: string
  secretKey: string
  /** Empty, or the beginning of every key, with a slash at the end. */
  prefix: string
  /** Whether players are sent to the bucket, instead of getting its files through this server. */
  redirect: boolean
}>

type MediaStorageSettings = {
  /** The storage of new files. */
  mediaStorage: StorageName
  /** The bucket, also while new files go into the folder; null = none. */
  bucket: BucketSettings | null
}

/** Reads where media files lie. The bucket counts as given once one of its variables is. */
export function readMediaStorage(reader: Reader): MediaStorageSettings {
  const mediaStorage = readChoice(reader, 'MEDIA_STORAGE', storageNames, 'folder')
  const wanted = { S3_ENDPOINT: readEndpoint(reader), ...readNamed(reader) }
  const missing = Object.entries(wanted).flatMap(([name, value]) => (value === '' ? [name] : []))
  const isGiven = missing.length < Object.keys(wanted).length
  if (isGiven || mediaStorage === 's3')
    for (const name of missing) reader.mistakes.push(`${name} is missing: media on S3 need it`)
  if (missing.length > 0) return { mediaStorage, bucket: null }
  const bucket: BucketSettings = {
    endpoint: wanted.S3_ENDPOINT,
    bucket: wanted.S3_BUCKET,
    accessKey: wanted.S3_ACCESS_KEY,
    secretKey: wanted.S3_SECRET_KEY,
    region: readText(reader, 'S3_REGION', 'us-east-1'),
    prefix: readKeyPrefix(reader),
    redirect: readFlag(reader, 'S3_REDIRECT'),
  }
  return { mediaStorage, bucket }
}

const readNamed = (reader: Reader) => ({
  S3_BUCKET: readText(reader, 'S3_BUCKET'),
  S3_ACCESS_KEY: readText(reader, 'S3_ACCESS_KEY'),
  S3_SECRET_KEY: readText(reader, 'S3_SECRET_KEY'),
})

/** Reads the address of the service; `S3_URL` is PodFetch's name for it. */
function readEndpoint(reader: Reader): string {
  const name = readText(reader, 'S3_ENDPOINT') === '' ? 'S3_URL' : 'S3_ENDPOINT'
  const text = readText(reader, name)
  if (text === '') return ''
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (url && url.username === '' && url.search === '' && url.hash === '') return url.href.replace(/(?<!\/)\/+$/, '')
  report(reader, name, text, 'the address of an S3 service, such as https://s3.example')
  return 'unusable'
}

function readKeyPrefix(reader: Reader): string {
  const text = readText(reader, 'S3_PREFIX').replace(/^\/+|(?<!\/)\/+$/g, '')
  if (text === '') return ''
  if (!text.split('/').some(part => /^\.{0,2}$/.test(part))) return `${text}/`
  report(reader, 'S3_PREFIX', text, 'the beginning of a key, such as podcasts')
  return ''
}
