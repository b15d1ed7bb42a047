import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Context } from '../../../../context'
import { Problem } from '../../../../platform/problem'
import { isObject, RpcError } from '../messages'
import type { Caller, Outcome, Tool } from '../tool'
import { changeQueue, markEpisodes } from './change-lists'
import { getEpisode, listEpisodes, myEpisodes, readTranscript } from './episodes'
import { listPodcasts, search } from './search'
import { listeningStatistics } from './listening-statistics'

export type Tools = ReturnType<typeof createTools>

/** The upper limit of any answer, far above those of the tools. */
const MAX_TEXT = 40_000

/** The tools over the library; a caller sees those that its key allows. */
export function createTools(app: Context) {
  const all: readonly Tool[] = [
    search(app),
    getEpisode(app),
    readTranscript(app),
    listPodcasts(app),
    listEpisodes(app),
    myEpisodes(app),
    listeningStatistics(app),
    changeQueue(app),
    markEpisodes(app),
  ]
  const allows = ({ mayChange }: Caller, { changes }: Tool) => mayChange || !changes

  return {
    list: (caller: Caller) => all.filter(one => allows(caller, one)).map(present),
    /**
     * Calls a tool. A mistake that the model can correct is a result that says so; throws `RpcError` for an unknown
     * tool.
     */
    async call(caller: Caller, { name, arguments: given }: Record<string, unknown>) {
      const found = all.find(one => one.name === name)
      if (!found)
        throw new RpcError('params', `There is no tool ${String(name).slice(0, 100)}; tools/list has them all`)
      if (!allows(caller, found))
        return refuse('This key only reads. Its owner can make one that may change lists, under Settings › Apps.')
      if (found.changes && !(await app.store.whenWritable(app.writeWaitMs)))
        return refuse('The database is busy. Try again in a few seconds.')
      const args: unknown = Value.Default(found.input, Value.Clone(given ?? {}))
      const mistake = mistakeIn(found, args)
      if (mistake !== null) return refuse(mistake)
      return run(found, caller, args as never)
    },
  }
}

async function run(found: Tool, caller: Caller, args: never) {
  try {
    return accept(await found.run(caller, args))
  } catch (error) {
    if (error instanceof Problem) return refuse(error.message)
    throw error
  }
}

/** Says what is wrong with the arguments, all at once; null if nothing is. */
function mistakeIn({ input }: Tool, args: unknown): string | null {
  if (!isObject(args)) return 'The arguments must be an object.'
  const errors = [...Value.Errors(input, args)].slice(0, 5)
  if (errors.length === 0) return null
  const texts = errors.map(
    ({ path, message, schema }) => `${path.slice(1).slice(0, 100) || 'arguments'}: ${allowedIn(schema) ?? message}`,
  )
  return `${texts.join('; ')}. The arguments are: ${Object.keys(input.properties).join(', ')}.`
}

/** Names the values of a choice; null for any other schema. */
function allowedIn({ anyOf }: TSchema): string | null {
  const values = (anyOf as TSchema[] | undefined)?.map(({ const: value }) => value as unknown)
  return values?.every(value => typeof value === 'string') ? `one of ${values.join(', ')}` : null
}

const accept = ({ text, data }: Outcome) => ({
  content: [{ type: 'text', text: text.slice(0, MAX_TEXT) }],
  structuredContent: data,
})

const refuse = (text: string) => ({ content: [{ type: 'text', text }], isError: true })

const present = ({ name, title, description, input, changes }: Tool) => ({
  name,
  title,
  description,
  inputSchema: input,
  annotations: { title, readOnlyHint: !changes, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})
