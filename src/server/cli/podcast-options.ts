import { UsageError } from './arguments'
import { readOptions } from './read-options'

export const podcastsUsage = `castellan podcasts list [--json]
castellan podcasts add ADDRESS… [--user NAME] [--user-agent TEXT]
castellan podcasts refresh [PODCAST…]
castellan podcasts remove PODCAST [--keep-files] [--yes]
    PODCAST       its title, the address of its feed, or its id in list --json; refresh without one: all
    --user        who adds them
    --user-agent  sent instead of Castellan's name, for a host that refuses it
    --keep-files  leaves its audio and video files; found again when it is added again
    --yes         removes without a question`

const actions = ['list', 'add', 'refresh', 'remove'] as const
type Action = (typeof actions)[number]

export type PodcastsCommand = {
  action: Action
  /** Addresses to add, or names of podcasts. */
  names: readonly string[]
  user: string | null
  userAgent: string | undefined
  isJson: boolean
  keepsFiles: boolean
  isSure: boolean
}

/** The options of each command; another one is refused. */
const optionsOf: Record<Action, readonly string[]> = {
  list: ['json'],
  add: ['user', 'user-agent'],
  refresh: [],
  remove: ['keep-files', 'yes'],
}

const refuse = (reason: string) => new UsageError(reason, podcastsUsage)

/** Reads the arguments after `castellan podcasts`. Throws `UsageError`. */
export function parsePodcastsCommand(args: readonly string[]): PodcastsCommand {
  const { positionals, values } = parse(args)
  const [given, ...names] = positionals
  if (given === undefined) throw refuse('podcasts needs a command')
  const action = actions.find(one => one === given)
  if (!action) throw refuse(`podcasts has no command "${given}"`)
  const foreign = Object.keys(values).find(name => !optionsOf[action].includes(name))
  if (foreign) throw refuse(`${action} has no --${foreign}`)
  requireNumber(action, names)
  return {
    action,
    names,
    user: values.user ?? null,
    userAgent: values['user-agent'],
    isJson: values.json ?? false,
    keepsFiles: values['keep-files'] ?? false,
    isSure: values.yes ?? false,
  }
}

function requireNumber(action: Action, names: readonly string[]) {
  if (action === 'list' && names.length > 0) throw refuse(`Unexpected "${names[0]}"`)
  if (action === 'add' && names.length === 0) throw refuse('add needs the address of a feed')
  if (action === 'remove' && names.length === 0) throw refuse('remove needs a podcast')
  if (action === 'remove' && names.length > 1) throw refuse(`Unexpected "${names[1]}". Titles with spaces need quotes.`)
}

const parse = (args: readonly string[]) =>
  readOptions(
    args,
    {
      json: { type: 'boolean' },
      user: { type: 'string' },
      'user-agent': { type: 'string' },
      'keep-files': { type: 'boolean' },
      yes: { type: 'boolean' },
    },
    podcastsUsage,
  )
