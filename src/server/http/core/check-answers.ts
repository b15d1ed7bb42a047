import { Kind, type TSchema } from '@sinclair/typebox'
import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler'

/** The schema of a route's answer, or one for each status. */
export type Declared = TSchema | Record<number, TSchema>

type Routes = { routes: readonly { method: string; path: string; hooks: unknown }[] }

/** Shared by all applications of a process: to compile a schema takes longer than to check a thousand answers. */
const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>()
function checkOf(schema: TSchema): TypeCheck<TSchema> {
  const known = compiled.get(schema) ?? TypeCompiler.Compile(closed(schema))
  compiled.set(schema, known)
  return known
}

/** Checks answers as they are sent: fields that a schema lacks fail, too. Throws an error that names the field. */
export function createAnswerCheck(app: Routes) {
  let declared: Map<string, Declared> | null = null
  return (call: string, status: number, value: unknown) => {
    if (typeof value !== 'object' || value === null || !isJson(value)) return
    declared ??= new Map(
      app.routes.flatMap(({ method, path, hooks }) => {
        const { declared } = hooks as { declared?: Declared }
        return declared ? [[`${method} ${path}`, declared] as const] : []
      }),
    )
    const schemas = declared.get(call)
    if (!schemas) return
    const schema = Kind in schemas ? (status === 200 ? (schemas as TSchema) : null) : schemas[status as never]
    if (!schema) return
    const wrong = checkOf(schema)
      .Errors(JSON.parse(JSON.stringify(value)))
      .First()
    if (wrong) throw new Error(`${call} answers ${wrong.path || 'a value'} against its schema: ${wrong.message}`)
  }
}

/** Anything else is a file, a stream or a finished response. */
const isJson = (value: object) => Array.isArray(value) || value.constructor === Object

/** The schema with all of its objects closed: no fields but the declared ones. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T
  if (typeof schema !== 'object' || schema === null || schema instanceof RegExp) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]))
  for (const symbol of Object.getOwnPropertySymbols(schema)) Object.assign(copy, { [symbol]: schema[symbol as never] })
  return (schema as { [Kind]?: string })[Kind] === 'Object'
    ? ({ additionalProperties: false, ...copy } as T)
    : (copy as T)
}
