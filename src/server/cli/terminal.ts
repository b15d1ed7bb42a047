import { UsageError } from './arguments'

export type Print = (line: string) => void

/**
 * Reads a password: typed twice and unseen by a person, or the first line that a program writes. Throws `UsageError`.
 */
export async function readPassword(prompt: string): Promise<string> {
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
    if ((await ask('Again: ')) !== typed) throw new UsageError('The two passwords differ')
    return typed
  } finally {
    process.stdin.setRawMode(false)
    process.stdin.pause()
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
