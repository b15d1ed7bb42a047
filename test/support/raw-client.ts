const CHUNK = 16 * 1024

/** A body of `size` bytes as it travels: with its length, or in chunks. */
export const bodyOf = (size: number, isChunked: boolean) => {
  const text = 'x'.repeat(CHUNK)
  const pieces = Math.ceil(size / CHUNK)
  return isChunked
    ? { header: 'Transfer-Encoding: chunked', bytes: `${`4000\r\n${text}\r\n`.repeat(pieces)}0\r\n\r\n` }
    : { header: `Content-Length: ${pieces * CHUNK}`, bytes: text.repeat(pieces) }
}

/**
 * Sends all of a request, as clients do that read no answer before, and gives the answer; `cut off` where the server
 * had enough before everything was sent, since such a client sees a broken pipe then.
 */
export async function sendWhole(origin: string, head: string, body: string): Promise<string> {
  const { hostname, port } = new URL(origin)
  const { promise, resolve } = Promise.withResolvers<string>()
  const bytes = Buffer.from(`${head}\r\n\r\n${body}`, 'latin1')
  let sent = 0
  let answer = ''
  const isWhole = () => sent === bytes.length
  const send = (socket: Bun.Socket<undefined>) => {
    while (!isWhole()) {
      const taken = socket.write(bytes.subarray(sent))
      if (taken <= 0) return
      sent += taken
    }
  }
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: send,
      drain: send,
      data: (socket, chunk) => {
        answer = `${answer}${chunk.toString('latin1')}`.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
        if (isWhole() && answer.includes('\r\n\r\n')) {
          resolve(answer)
          socket.end()
        }
      },
      error: () => resolve('cut off'),
      close: () => resolve(isWhole() ? answer : 'cut off'),
    },
  })
  return promise
}
