import type { AnyElysia } from 'elysia'
import type { Declared } from './check-answers'

// Why: docs/internals/decisions/0024

type Hook = { response?: Declared }
type Register = (path: string, handler: unknown, hook?: Hook) => unknown

/**
 * Keeps the schemas of answers from Elysia, which would check and copy every answer. The document of the API reads them
 * as `declared`. Everywhere but in the executable, an answer that differs from its schema fails.
 */
export function declareAnswers(app: AnyElysia) {
  const methods = app as unknown as Record<string, Register>
  for (const method of ['get', 'post', 'put', 'patch', 'delete', 'head']) {
    const register = methods[method]!.bind(app)
    methods[method] = (path, handler, { response, ...hook }: Hook = {}) =>
      register(path, handler, response === undefined ? hook : ({ ...hook, declared: response } as Hook))
  }
  // The bundler leaves the check out.
  if (process.env.NODE_ENV === 'production') return
  const { createAnswerCheck } = require('./check-answers') as typeof import('./check-answers')
  const check = createAnswerCheck(app)
  app.onAfterHandle({ as: 'global' }, ({ request, route, set, responseValue }) =>
    check(`${request.method} ${route}`, Number(set.status ?? 200), responseValue),
  )
}
