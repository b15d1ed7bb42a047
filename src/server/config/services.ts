import { type StorageName, storageNames } from '../store/file-place'
import { type Network, parseNetwork, readChoice, type Reader, readFlag, readText, report } from './reader'

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

/** Reads where media files are stored. The bucket counts as configured once one of its variables is set. */
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

/** A host that is reached without a proxy, with its subdomains. `port` null = every port. */
type DirectHost = Readonly<{ name: string; port: string | null }>

/** The proxies for http and https addresses, with their credentials; null = none. */
export type Proxies = Readonly<{
  http: string | null
  https: string | null
  /** The places that are reached without a proxy. */
  direct: Readonly<{ everything: boolean; networks: readonly Network[]; hosts: readonly DirectHost[] }>
}>

/** Reads the proxies for everything that is fetched, and those for podcasts, for which `PROXY` takes precedence. */
export function readProxies(reader: Reader): { proxies: Proxies; podcastProxies: Proxies } {
  const direct = readDirect(reader)
  const proxies = { http: readProxy(reader, 'HTTP_PROXY'), https: readProxy(reader, 'HTTPS_PROXY'), direct }
  const proxy = readProxy(reader, 'PROXY')
  return { proxies, podcastProxies: proxy === null ? proxies : { http: proxy, https: proxy, direct } }
}

const readEither = (reader: Reader, name: string) => readText(reader, name.toLowerCase()) || readText(reader, name)

function readProxy(reader: Reader, name: string): string | null {
  const text = readEither(reader, name)
  if (text === '') return null
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href
  // The value is not repeated: it may hold a password.
  reader.mistakes.push(`${name} is not a proxy: expected an address such as http://proxy.example:3128`)
  return null
}

function readDirect(reader: Reader): Proxies['direct'] {
  const entries = readEither(reader, 'NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
  const networks = entries.flatMap(entry => {
    const network = parseNetwork(entry.replace(/[[\]]/g, ''))
    return network ? [network] : []
  })
  return { everything: entries.includes('*'), networks, hosts: entries.map(readHost) }
}

function readHost(entry: string): DirectHost {
  const name = entry.replace(/^\*?\./, '')
  const colon = name.lastIndexOf(':')
  const port = colon === -1 ? '' : name.slice(colon + 1)
  return /^\d{1,5}$/.test(port) ? { name: name.slice(0, colon), port } : { name, port: null }
}

/** A speech server with OpenAI's API. */
export type TranscriptionSettings = Readonly<{
  /** The address that files are sent to. */
  address: string
  model: string
  /** Null = the server needs none. */
  key: string | null
}>

/** Reads the server that transcribes; null = none. The other variables are mistakes without its address. */
export function readTranscription(reader: Reader): TranscriptionSettings | null {
  const address = readServer(reader)
  const model = readText(reader, 'TRANSCRIPTION_MODEL', 'whisper-1')
  const key = readText(reader, 'TRANSCRIPTION_KEY') || null
  if (model.length > 200) report(reader, 'TRANSCRIPTION_MODEL', `${model.slice(0, 40)}…`, 'at most 200 characters')
  // It is sent in a header unchanged. The value is not repeated.
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) reader.mistakes.push('TRANSCRIPTION_KEY is not plain ASCII')
  if (address !== null) return { address, model, key }
  for (const name of ['TRANSCRIPTION_MODEL', 'TRANSCRIPTION_KEY'])
    if (readText(reader, name) !== '' && readText(reader, 'TRANSCRIPTION_URL') === '')
      reader.mistakes.push(`${name} needs TRANSCRIPTION_URL, the address of the server`)
  return null
}

function readServer(reader: Reader): string | null {
  const text = readText(reader, 'TRANSCRIPTION_URL')
  if (text === '') return null
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (url && url.username === '' && url.password === '' && url.hash === '') return withPath(url)
  // The value is not repeated: it may hold a password.
  reader.mistakes.push('TRANSCRIPTION_URL is not an address without a password, such as http://whisper.example:8000')
  return null
}

/** Appends what is missing of the path that files are sent to; any other path is kept as the administrator's choice. */
function withPath(url: URL): string {
  const path = url.pathname.replace(/\/$/, '')
  if (path === '') url.pathname = '/v1/audio/transcriptions'
  else if (/\/v\d+$/.test(path)) url.pathname = `${path}/audio/transcriptions`
  else url.pathname = path
  return url.href
}
