/** Pages of the official app, which its web view loads from these origins. */
const origins = new Set(['http://localhost', 'capacitor://localhost'])
const cover = /^\/api\/items\/[^/]+\/cover\/?$/

/** The headers that let a page of the app read a cover, which anybody may see; null for other pages and addresses. */
export function corsHeaders({ method, headers }: Request, path: string): Record<string, string> | null {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(method) || !cover.test(path)) return null
  const origin = headers.get('origin') ?? ''
  return { Vary: 'Origin', ...(origins.has(origin) && { 'Access-Control-Allow-Origin': origin }) }
}

/** The answer to a preflight, to which the headers are added; null where there is no permission to give. */
export const answerPreflight = (request: Request, path: string): Response | null =>
  request.method === 'OPTIONS' && corsHeaders(request, path)?.['Access-Control-Allow-Origin']
    ? new Response('OK', { headers: { 'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS' } })
    : null
