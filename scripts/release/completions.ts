import { commandTable, options, type CommandEntry } from '../../src/server/cli/help'
import type { Entry } from './archives/tar'

/** Words that may follow a command, as its usage names them. */
type Words = Pick<CommandEntry, 'name' | 'summary'> & {
  actions: string[]
  options: { name: string; values: string[] }[]
}

/** Writes completions for bash, zsh and fish, from what `--help` prints. */
export const completions = (): Entry[] => [
  { path: 'usr/share/bash-completion/completions/castellan', content: bash(wordsOfCommands()) },
  { path: 'usr/share/zsh/vendor-completions/_castellan', content: zsh(wordsOfCommands()) },
  { path: 'usr/share/fish/vendor_completions.d/castellan.fish', content: fish(wordsOfCommands()) },
]

const wordsOfCommands = () => commandTable().map(wordsOf)

export function wordsOf({ name, summary, usage }: CommandEntry): Words {
  const actions = [...usage.matchAll(new RegExp(`^castellan ${name} ([a-z][a-z-]*)`, 'gm'))].map(([, word]) => word!)
  const found = new Map<string, string[]>()
  for (const [, option, choices] of usage.matchAll(/(--[a-z][a-z-]*)(?: ([a-z0-9]+(?:\|[a-z0-9]+)+))?/g))
    found.set(option!, choices?.split('|') ?? found.get(option!) ?? [])
  const own = [...found].map(([option, values]) => ({ name: option, values }))
  return { name, summary, actions: [...new Set(actions)], options: own }
}

const globals = options.map(([name]) => name.split(' ')[0]!)

const bash = (commands: Words[]) => `# shellcheck shell=bash
_castellan() {
    local cur=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command='' word
    for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case $word in
        ${commands.map(({ name }) => name).join(' | ')}) command=$word && break ;;
        esac
    done
    COMPREPLY=()
    case $command$previous in
    *--config) return ;;
${commands
  .flatMap(({ name, options }) =>
    options.filter(one => one.values.length > 0).map(one => bashCase(`${name}${one.name}`, one.values)),
  )
  .join('')}    esac
    case $command in
${commands.map(one => bashCase(one.name, [...one.actions, ...one.options.map(({ name }) => name)])).join('')}${bashCase(
  "''",
  [...globals, ...commands.map(({ name }) => name)],
)}    esac
}
complete -o default -F _castellan castellan
`

const bashCase = (pattern: string, words: readonly string[]) =>
  `    ${pattern}) mapfile -t COMPREPLY < <(compgen -W '${words.join(' ')}' -- "$cur") && return ;;\n`

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

const zsh = (commands: Words[]) => `#compdef castellan
local curcontext=$curcontext state line
local -a commands=(
${commands.map(one => `  ${quote(`${one.name}:${one.summary}`)}`).join('\n')}
)
_arguments -C \\
${options.map(([name, text]) => `  ${quote(`${name.split(' ')[0]}[${text.split(';')[0]}]${name.includes('FILE') ? ':file:_files' : ''}`)}`).join(' \\\n')} \\
  '1:command:->command' \\
  '*::argument:->argument'
case $state in
command) _describe command commands ;;
argument)
  case $words[1] in
${commands.map(zshCase).join('')}  esac
  ;;
esac
`

function zshCase({ name, actions, options }: Words): string {
  const own = options.map(one =>
    quote(one.values.length > 0 ? `${one.name}:value:(${one.values.join(' ')})` : one.name),
  )
  const first = actions.length > 0 ? [quote(`1:action:(${actions.join(' ')})`)] : []
  return `  ${name}) _arguments ${[...own, ...first, `'*:file:_files'`].join(' ')} ;;\n`
}

const fish = (commands: Words[]) => {
  const line = (condition: string, rest: string) => `complete -c castellan -n ${quote(condition)} ${rest}\n`
  const first = '__fish_use_subcommand'
  const own = options.map(([name, text]) => {
    const [option, value] = name.slice(2).split(' ')
    return line(first, `-l ${option}${value ? ' -r' : ''} -d ${quote(text)}`)
  })
  const ofCommands = commands.flatMap(({ name, summary, actions, options }) => {
    const after = `__fish_seen_subcommand_from ${name}`
    const values = (words: readonly string[]) => (words.length > 0 ? ` -x -a ${quote(words.join(' '))}` : '')
    return [
      line(first, `-f -a ${name} -d ${quote(summary)}`),
      ...(actions.length > 0 ? [line(after, `-f -a ${quote(actions.join(' '))}`)] : []),
      ...options.map(one => line(after, `-l ${one.name.slice(2)}${values(one.values)}`)),
    ]
  })
  return [...own, ...ofCommands].join('')
}
