import { xmlAnswer, type Answer, type Exchange } from './exchange'
import { element, encodeListed, type Element, invalidArgument } from './answers'
import type { Shelf } from './shelf'

const compare = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

function readQuery({ query }: Exchange, most: string) {
  const count = Number(query.get(most) ?? 1000)
  if (!Number.isInteger(count) || count < 0) throw invalidArgument(`Argument ${most} must be an integer`)
  const encoding = query.get('encoding-type')
  if (encoding !== undefined && encoding !== 'url')
    throw invalidArgument('Invalid Encoding Method specified in Request')
  return {
    prefix: query.get('prefix') ?? '',
    count: Math.min(count, 1000),
    encode: encoding === 'url' ? encodeListed : (key: string) => key,
    encoding: { ...(encoding && { EncodingType: encoding }) },
  }
}

/** A page of a listing: keys, and prefixes up to the delimiter that stand for several. */
type Row = { key: string; isPrefix: boolean }

function pageOf(keys: readonly string[], prefix: string, delimiter: string, after: string, count: number) {
  const rows: Row[] = []
  for (const key of keys) {
    if (!key.startsWith(prefix)) continue
    const cut = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
    const row = cut < 0 ? { key, isPrefix: false } : { key: key.slice(0, cut + delimiter.length), isPrefix: true }
    if (after !== '' && compare(row.key, after) <= 0) continue
    if (row.isPrefix && rows.at(-1)?.key === row.key) continue
    if (rows.length === count) return { rows, isTruncated: count > 0 }
    rows.push(row)
  }
  return { rows, isTruncated: false }
}

/** Lists objects in the order of the bytes of their keys, at most a thousand at once. */
export function listObjects(exchange: Exchange, bucket: string, shelf: Shelf): Answer {
  const { prefix, count, encode, encoding } = readQuery(exchange, 'max-keys')
  const { query } = exchange
  const [delimiter, token, startAfter] = [
    query.get('delimiter') ?? '',
    query.get('continuation-token'),
    query.get('start-after'),
  ]
  if (token === '') throw invalidArgument('The continuation token provided is incorrect')
  const after = token === undefined ? (startAfter ?? '') : Buffer.from(token, 'base64url').toString()
  const { rows, isTruncated } = pageOf([...shelf.objects.keys()].sort(compare), prefix, delimiter, after, count)
  const contents = rows
    .filter(row => !row.isPrefix)
    .map(({ key }): Element => {
      const { size, etag, modified } = shelf.objects.get(key)!
      return {
        Key: encode(key),
        LastModified: new Date(modified).toISOString(),
        ETag: etag,
        Size: String(size),
        StorageClass: 'STANDARD',
      }
    })
  return xmlAnswer(
    element('ListBucketResult', {
      Name: bucket,
      Prefix: encode(prefix),
      ...(delimiter && { Delimiter: encode(delimiter) }),
      ...(startAfter && { StartAfter: encode(startAfter) }),
      MaxKeys: String(count),
      KeyCount: String(rows.length),
      IsTruncated: String(isTruncated),
      ...encoding,
      ...(token && { ContinuationToken: token }),
      ...(isTruncated && { NextContinuationToken: Buffer.from(rows.at(-1)!.key).toString('base64url') }),
      Contents: contents,
      CommonPrefixes: rows.filter(row => row.isPrefix).map(({ key }): Element => ({ Prefix: encode(key) })),
    }),
  )
}

/** Lists unfinished uploads by key and beginning. */
export function listUploads(exchange: Exchange, bucket: string, shelf: Shelf): Answer {
  const { prefix, count, encode, encoding } = readQuery(exchange, 'max-uploads')
  const keyMarker = exchange.query.get('key-marker') ?? ''
  const idMarker = exchange.query.get('upload-id-marker') ?? ''
  const isBehind = (key: string, id: string) => {
    const order = compare(key, keyMarker)
    return keyMarker === '' || order > 0 || (order === 0 && idMarker !== '' && id > idMarker)
  }
  const waiting = [...shelf.uploads.values()]
    .filter(({ key, id }) => key.startsWith(prefix) && isBehind(key, id))
    .sort((one, other) => compare(one.key, other.key) || compare(one.id, other.id))
  const page = waiting.slice(0, count)
  const last = page.at(-1)
  const isTruncated = waiting.length > page.length && last !== undefined
  return xmlAnswer(
    element('ListMultipartUploadsResult', {
      Bucket: bucket,
      KeyMarker: encode(keyMarker),
      UploadIdMarker: idMarker,
      ...(isTruncated && { NextKeyMarker: encode(last.key), NextUploadIdMarker: last.id }),
      Prefix: encode(prefix),
      MaxUploads: String(count),
      IsTruncated: String(isTruncated),
      ...encoding,
      Upload: page.map(({ key, id, begun }): Element => ({
        Key: encode(key),
        UploadId: id,
        Initiated: new Date(begun).toISOString(),
        StorageClass: 'STANDARD',
      })),
    }),
  )
}
