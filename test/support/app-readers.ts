/**
 * Reads answers as podcast apps do, as strictly as each of them: throws where the app would break.
 */
type Answer = { status: number; text: string; headers: Headers }
type Fields = Record<string, unknown>

export type Changes = { add: string[]; remove: string[]; timestamp: number }
export type Heard = { episode: string; position: number }

const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)
/** A number of 32 bits: Qt reads a longer one as 0. */
const isInt = (value: unknown): value is number => isInteger(value) && Math.abs(value) < 2 ** 31
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const isObjects = (value: unknown): value is Fields[] => Array.isArray(value) && value.every(isObject)
const isPairs = (value: unknown): value is [string, string][] =>
  Array.isArray(value) && value.every(pair => isTexts(pair) && pair.length === 2)

function need<T>(fields: Fields, name: string, fits: (value: unknown) => value is T): T {
  const value = fields[name]
  if (fits(value)) return value
  throw new Error(`${name} is ${JSON.stringify(value)}`)
}

function objectOf({ status, text }: Answer): Fields {
  if (status !== 200) throw new Error(`answered ${status}`)
  const value: unknown = JSON.parse(text)
  if (isObject(value)) return value
  throw new Error(`answered ${text}`)
}

const changesOf = (fields: Fields, isTime: typeof isInteger): Changes => ({
  add: need(fields, 'add', isTexts),
  remove: need(fields, 'remove', isTexts),
  timestamp: need(fields, 'timestamp', isTime),
})

const bareTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/

/** Each missing key throws; a play without a position and a length says nothing; names of actions in any case. */
export const antennaPod = {
  devices: ({ status, text }: Answer) => {
    if (status !== 200) throw new Error(`answered ${status}`)
    const list: unknown = JSON.parse(text)
    if (!isObjects(list)) throw new Error(`answered ${text}`)
    return list.map(device => {
      need(device, 'caption', isText)
      need(device, 'type', isText)
      need(device, 'subscriptions', isInteger)
      return need(device, 'id', isText)
    })
  },
  changes: (answer: Answer) => changesOf(objectOf(answer), isInteger),
  /** Answers what it asks from next. Nextcloud rewrites no addresses. */
  uploaded(answer: Answer, isNextcloud = false) {
    const fields = objectOf(answer)
    if (!isNextcloud) need(fields, 'update_urls', isPairs)
    return need(fields, 'timestamp', isInteger)
  },
  played(answer: Answer): { played: Heard[]; timestamp: number } {
    const fields = objectOf(answer)
    const played = need(fields, 'actions', isObjects).flatMap(action => {
      const episode = need(action, 'episode', isText)
      if (need(action, 'action', isText).toUpperCase() !== 'PLAY') return []
      const { started, position, total, timestamp } = action
      if (!isInteger(started) || !isInteger(position) || !isInteger(total)) throw new Error('a play without numbers')
      if (!isText(timestamp) || !bareTime.test(timestamp)) throw new Error(`played at ${String(timestamp)}`)
      return started >= 0 && position > 0 && total > 0 ? [{ episode, position }] : []
    })
    return { played, timestamp: need(fields, 'timestamp', isInteger) }
  },
}

/** Numbers are of 32 bits, times of actions without a zone. */
export const kasts = {
  changes: (answer: Answer) => changesOf(objectOf(answer), isInt),
  uploaded: (answer: Answer) => need(objectOf(answer), 'timestamp', isInt),
  groups(answer: Answer) {
    const fields = objectOf(answer)
    const isGroups = (value: unknown): value is string[][] => Array.isArray(value) && value.every(isTexts)
    return [...need(fields, 'synchronized', isGroups).flat(), ...need(fields, 'not-synchronized', isTexts)]
  },
  played(answer: Answer): { played: Heard[]; timestamp: number } {
    const fields = objectOf(answer)
    const played = need(fields, 'actions', isObjects).flatMap(action => {
      if (!bareTime.test(need(action, 'timestamp', isText).split('.')[0]!)) throw new Error('a time with a zone')
      if (need(action, 'action', isText).toLowerCase() !== 'play') return []
      return [{ episode: need(action, 'episode', isText), position: need(action, 'position', isInt) }]
    })
    return { played, timestamp: need(fields, 'timestamp', isInt) }
  },
}

/** Knows actions in capitals only, and puts a zone of its own behind each time. */
export const cardo = {
  changes: (answer: Answer) => changesOf(objectOf(answer), isInteger),
  uploaded: (answer: Answer) => need(objectOf(answer), 'timestamp', isInteger),
  played(answer: Answer): Heard[] {
    const actions = need(objectOf(answer), 'actions', isObjects).filter(({ action }) => action === 'PLAY')
    return actions.map(action => {
      const time = `${need(action, 'timestamp', isText)}+00:00`
      if (Number.isNaN(Date.parse(time))) throw new Error(`${time} is no time`)
      return { episode: need(action, 'episode', isText), position: need(action, 'position', isInteger) }
    })
  },
}

/** Reads nothing that is not labelled as JSON, takes 404 for nothing at all, and knows five actions in two cases. */
export const musicAssistant = {
  changes: (answer: Answer) => (answer.status === 404 ? null : changesOf(labelled(answer), isInteger)),
  uploaded({ status }: Answer) {
    if (status !== 200) throw new Error(`answered ${status}`)
  },
  played(answer: Answer): { played: Heard[]; timestamp: number } | null {
    if (answer.status === 404) return null
    const fields = labelled(answer)
    const played = need(fields, 'actions', isObjects).flatMap(action => {
      const kind = need(action, 'action', isText)
      if (!/^(play|new|download|delete|flattr)$/.test(kind) && !/^(PLAY|NEW|DOWNLOAD|DELETE|FLATTR)$/.test(kind))
        throw new Error(`${kind} is no action`)
      need(action, 'podcast', isText)
      need(action, 'timestamp', isText)
      if (kind.toLowerCase() !== 'play') return []
      return [{ episode: need(action, 'episode', isText), position: need(action, 'position', isInteger) }]
    })
    return { played, timestamp: need(fields, 'timestamp', isInteger) }
  },
}

function labelled(answer: Answer): Fields {
  const type = answer.headers.get('content-type')?.split(';')[0]
  if (type !== 'application/json') throw new Error(`labelled as ${type}`)
  return objectOf(answer)
}
