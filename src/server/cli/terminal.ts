import { UsageError } from './arguments'

/** One line of standard input: typed unseen, twice, where a person sits there; read where a program writes. */
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
    if ((await ask('Once more: ')) !== typed) throw new UsageError('these were two different passwords')
    return typed
  } finally {
    process.stdin.setRawMode(false)
    process.stdin.pause()
  }
}

/** What is typed, line by line, without an echo. Keys that are no characters (arrows and the like) count as none. */
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
