import { UsageError } from './arguments'

export type Print = (line: string) => void

/**
 * Reads a password: typed unseen by a person, a new one twice, or the first line that a program writes. Throws
 * `UsageError`.
 */
export async function readPassword(prompt: string, isNew = true): Promise<string> {
  if (!process.stdin.isTTY) return (await Bun.stdin.text()).split(/\r?\n/)[0]!
  const lines = typedLines()
  const ask = async (question: string) => {
    process.stderr.write(question)
    const { value } = await lines.next()
    process.stderr.write('\n')
    return value ?? ''
  }
  process.stdin.setRawMode(true)
  try {
    const typed = await ask(prompt)
    if (isNew && (await ask('Again: ')) !== typed) throw new UsageError('The two passwords differ')
    return typed
  } finally {
    process.stdin.setRawMode(false)
    process.stdin.pause()
  }
}

export type Questions = {
  print: Print
  /** Asks for a line; an empty one is the value in brackets. */
  ask: (question: string, usual?: string) => Promise<string>
  /** Asks for a new password, typed unseen. */
  askPassword: (question: string) => Promise<string>
  /** Asks for a secret that somebody else made, typed unseen. */
  askSecret: (question: string) => Promise<string>
}

/** Asks a person, or takes the lines that a program writes in their place. */
export function openQuestions(): Questions {
  let written: Promise<string[]> | null = null
  const nextLine = async () => {
    written ??= Bun.stdin.text().then(text => text.split(/\r?\n/))
    return (await written).shift() ?? ''
  }
  const isPerson = process.stdin.isTTY
  return {
    print: console.log,
    async ask(question, usual = '') {
      const text = usual === '' ? question : `${question} [${usual}]`
      if (isPerson) return prompt(`${text}:`)?.trim() || usual
      return (await nextLine()).trim() || usual
    },
    askPassword: question => (isPerson ? readPassword(question) : nextLine()),
    askSecret: question => (isPerson ? readPassword(question, false) : nextLine()),
  }
}

/** Yields typed lines without an echo; arrows and other keys without a character are ignored. */
async function* typedLines(): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let line = ''
  for await (const chunk of process.stdin) {
    const text = decoder.decode(chunk as Uint8Array, { stream: true }).replace(/\u001b(\[[\d;]*[A-Za-z~]|O.)?/g, '')
    for (const character of text) {
      if (character === '\u0003') {
        process.stdin.setRawMode(false)
        process.exit(130)
      }
      if (character === '\r' || character === '\n' || character === '\u0004') {
        yield line
        line = ''
      } else if (character === '\u007f' || character === '\b') line = [...line].slice(0, -1).join('')
      else if (character >= ' ') line += character
    }
  }
}

export type Terminal = {
  print: Print
  /** Number of characters in a line; null = the output is a file or another program. */
  columns: number | null
  /** Asks a person; null = nobody is there to answer. */
  confirm: ((question: string) => Promise<boolean>) | null
}

export const openTerminal = (): Terminal => ({
  print: console.log,
  columns: process.stdout.isTTY ? process.stdout.columns : null,
  confirm: process.stdin.isTTY ? confirm : null,
})

async function confirm(question: string): Promise<boolean> {
  process.stderr.write(`${question} [y/N] `)
  for await (const line of console) return /^y(es)?$/i.test(line.trim())
  return false
}

/**
 * Removes from a foreign text what a terminal would interpret: control characters, and those that change its direction.
 */
export const plain = (text: string) => text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ')

export const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

const units = ['B', 'kB', 'MB', 'GB', 'TB']

export function formatBytes(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  return `${value.toFixed(step > 0 && value < 100 ? 1 : 0)} ${units[step]}`
}
