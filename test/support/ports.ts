/** A port that is free now: for two that must know each other's address before either starts. */
export function freePort(): number {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const { port } = server
  void server.stop(true)
  return port!
}
