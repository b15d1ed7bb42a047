type Received = { path: string; headers: Headers; body: Uint8Array<ArrayBuffer>; text: string }
type Answer = () => Response | Promise<Response>

/** A server on a loopback port that takes messages: it keeps all, and answers as a path was told to. */
export function startReceiver() {
  const received: Received[] = []
  const answers = new Map<string, Answer>()
  const waiting = new Set<() => void>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const body = new Uint8Array(await request.arrayBuffer())
      const text = new TextDecoder().decode(body)
      received.push({ path: pathname + search, headers: request.headers, body, text })
      for (const check of waiting) check()
      return (answers.get(pathname) ?? (() => new Response('ok')))()
    },
  })
  const to = (path: string) => received.filter(one => one.path === path)

  /** Settles when something is so after a message. */
  function until(isSo: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const check = () => {
      if (!isSo()) return
      waiting.delete(check)
      resolve()
    }
    waiting.add(check)
    check()
    return promise
  }

  return {
    origin: `http://127.0.0.1:${server.port}`,
    received,
    /** The messages to a path, in their order. */
    to,
    /** The messages to a path as JSON. */
    jsonTo: (path: string) => to(path).map(({ text }) => JSON.parse(text) as Record<string, any>),
    /** Answers a path from now on. */
    answer: (path: string, answer: Answer) => void answers.set(path, answer),
    /** Takes a path's messages and never answers. */
    hang: (path: string) => void answers.set(path, () => new Promise<Response>(() => undefined)),
    /** Settles when a path has `wanted` messages. */
    count: (path: string, wanted: number) => until(() => to(path).length >= wanted),
    until,
    [Symbol.dispose]: () => void server.stop(true),
  }
}
export type Receiver = ReturnType<typeof startReceiver>
