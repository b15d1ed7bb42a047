import { createApi } from '../../src/ui/api'
import { createClient } from '../../src/ui/api/client'

/** The whole API of a server that listens on `origin`. */
export function apisOf(origin: string, authorization: string | null = null) {
  const client = createClient('', {
    authorization: () => authorization,
    fetch: request => fetch(new Request(request.url.replace(/^https?:\/\/[^/]+/, origin), request)),
  })
  return createApi(client)
}
