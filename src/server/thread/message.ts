/** Requests and results of a thread by name of the task. A capability declares its own as a type alias. */
export type TaskTable = Record<string, { request: unknown; result: unknown }>

/** `id` is null when nobody waits for an answer. */
export type Task = { id: number | null; task: string; request: unknown }

/**
 * The first message of a thread carries what it needs to begin; `rest` is answered by nothing, `close` by an answer.
 */
export type Message = { setup: unknown } | Task | { rest: true } | { close: number }

/** `bug` is the stack of an error that the task threw: an error loses its class on the way between threads. */
export type Answer = { id: number; result: unknown } | { id: number; bug: string }
