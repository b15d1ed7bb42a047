/** Carries the length of a body past the router, which reads whole bodies to count them for HEAD, and sets its own. */
const LENGTH = 'x-castellan-length'

/** Answers HEAD with the headers of a response to GET, without reading its body. */
export function headOf(response: Response): Response {
  void response.body?.cancel()
  const headers = new Headers(response.headers)
  const length = headers.get('content-length') ?? lengthOfRange(headers.get('content-range'))
  if (length !== null) headers.set(LENGTH, length)
  return new Response(null, { status: response.status, headers })
}

function lengthOfRange(range: string | null): string | null {
  const [, from, to] = /^bytes (\d+)-(\d+)\//.exec(range ?? '') ?? []
  return from === undefined ? null : String(Number(to) - Number(from) + 1)
}

/** Gives a response to HEAD the length that it was made with. */
export function restoreLength(response: Response): Response {
  const length = response.headers.get(LENGTH)
  if (length === null) return response
  const headers = new Headers(response.headers)
  headers.delete(LENGTH)
  headers.set('content-length', length)
  return new Response(null, { status: response.status, headers })
}
