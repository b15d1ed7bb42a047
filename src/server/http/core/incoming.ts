import type { Server } from 'bun'

/** A request and the server that received it; `server` is null for a request made in memory, by tests. */
export type IncomingRequest = { request: Request; server: Server<unknown> | null }
