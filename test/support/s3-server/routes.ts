import { type Answer, type Exchange, xmlAnswer } from './exchange'
import { listObjects, listUploads } from './listing'
import { copyObject, readObject, removeObject, removeObjects, writeObject } from './objects'
import { element, invalidArgument, notImplemented, Refusal } from './answers'
import { abortUpload, beginUpload, completeUpload, writePart, type Place } from './uploads'

type Route = (exchange: Exchange, place: Place) => Answer | Promise<Answer>

/** Queries that choose a call; `?list-type=2` is `list-type`. */
const calls = ['delete', 'list-type', 'location', 'uploadId', 'uploads'] as const

const ofBucket: Record<string, Route> = {
  HEAD: () => ({ status: 200 }),
  'GET list-type': (exchange, { bucket, shelf }) => {
    if (exchange.query.get('list-type') !== '2') throw invalidArgument('list-type must be 2')
    return listObjects(exchange, bucket, shelf)
  },
  'GET location': () => xmlAnswer(element('LocationConstraint', {})),
  'GET uploads': (exchange, { bucket, shelf }) => listUploads(exchange, bucket, shelf),
  'POST delete': (exchange, { shelf }) => removeObjects(exchange, shelf),
}

const ofObject: Record<string, Route> = {
  GET: (exchange, { shelf }) => readObject(exchange, shelf),
  HEAD: (exchange, { shelf }) => readObject(exchange, shelf),
  PUT: (exchange, { bucket, shelf }) =>
    exchange.headers.has('x-amz-copy-source') ? copyObject(exchange, bucket, shelf) : writeObject(exchange, shelf),
  DELETE: (exchange, { shelf }) => removeObject(exchange, shelf),
  'POST uploads': beginUpload,
  'PUT uploadId': writePart,
  'POST uploadId': completeUpload,
  'DELETE uploadId': abortUpload,
}

/** Queries that a call may carry besides its own. */
const harmless =
  /^(x-id|X-Amz-.+|response-.+|prefix|delimiter|max-keys|continuation-token|start-after|fetch-owner|encoding-type|key-marker|upload-id-marker|max-uploads|partNumber)$/

/** Answers a request whose signature is right. Throws `Refusal`. */
export async function answerOf(exchange: Exchange, place: Place): Promise<Answer> {
  const { method, key, query } = exchange
  for (const name of query.keys())
    if (!harmless.test(name) && !calls.some(call => call === name)) throw notImplemented(`The query ${name}`)
  const call = calls.find(name => query.has(name))
  const route = (key === '' ? ofBucket : ofObject)[call === undefined ? method : `${method} ${call}`]
  if (!route) throw new Refusal(405, 'MethodNotAllowed')
  if (Buffer.byteLength(key) > 1024) throw new Refusal(400, 'KeyTooLongError')
  return route(exchange, place)
}
