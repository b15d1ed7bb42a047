/** A request as tests see it; `key`: that of the object, null for the bucket. */
export type SeenRequest = {
  method: string
  key: string | null
  query: ReadonlyMap<string, string>
  headers: ReadonlyMap<string, string>
  /** 0 until it is answered, and for good if the connection is cut before. */
  status: number
  bytesReceived: number
  bytesSent: number
}

export type Fault =
  /** Answers later than it could. */
  | { kind: 'slow'; ms: number }
  /** Never answers. */
  | { kind: 'hang' }
  /** Sends the body in small pieces. */
  | { kind: 'trickle'; bytes: number; everyMs: number }
  /** Refuses with an error of S3, such as 503 `SlowDown`. */
  | { kind: 'refuse'; status: number; code: string; headers?: Record<string, string> }
  /** Cuts the connection before the request is read, or after the work is done but before the answer. */
  | { kind: 'cut'; when: 'before' | 'after' }
  | { kind: 'cut-answer'; afterBytes: number }
  | { kind: 'cut-upload'; afterBytes: number }
  /** Takes a part, tells its ETag, and does not have it later. */
  | { kind: 'lose-part' }
  /** Completes an upload with 200 and an error in the body. */
  | { kind: 'fail-complete' }
  /** Keeps a flipped byte, or one byte less, of what was sent; the ETag is that of what it keeps. */
  | { kind: 'store-wrong'; as: 'flipped' | 'shorter' }
  /** Tells another ETag than that of the bytes. */
  | { kind: 'wrong-etag' }
  /** Sends flipped bytes of a good object. */
  | { kind: 'send-wrong' }
  /** Sends the whole object though a range was asked for. */
  | { kind: 'ignore-range' }
  /** Answers with something else: HTML, XML without an end, or an empty body. */
  | { kind: 'body'; of: 'html' | 'endless' | 'empty'; status?: number }
  | { kind: 'redirect'; status: number; to: string }

export type FaultOptions = {
  /** The number of requests that meet it; all until it is switched off, if absent. */
  times?: number
  when?: (request: SeenRequest) => boolean
}

type Planned = { fault: Fault; left: number; when: (request: SeenRequest) => boolean; met: number }

/** Keeps the failures that a test asked for; the first that fits a request is the one that it meets. */
export function createFaults() {
  let planned: Planned[] = []
  return {
    /** Plans a failure; the answer switches it off and says how many requests met it. */
    plan(fault: Fault, { times = Number.POSITIVE_INFINITY, when = () => true }: FaultOptions = {}) {
      const plan = { fault, left: times, when, met: 0 }
      planned.push(plan)
      return {
        met: () => plan.met,
        off() {
          planned = planned.filter(other => other !== plan)
        },
      }
    },
    meet(request: SeenRequest): Fault | undefined {
      const plan = planned.find(({ left, when }) => left > 0 && when(request))
      if (plan === undefined) return undefined
      plan.left--
      plan.met++
      return plan.fault
    },
    clear() {
      planned = []
    },
  }
}
