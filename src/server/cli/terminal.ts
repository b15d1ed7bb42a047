/** One line of standard input: typed unseen where a person sits there, read where a program writes. */
export async function readPassword(prompt: string): Promise<string> {
  const { stdin } = process
  if (!stdin.isTTY) return (await Bun.stdin.text()).split(/\r?\n/)[0]!
  process.stderr.write(prompt)
  stdin.setRawMode(true)
  const decoder = new TextDecoder()
  let typed = ''
  try {
    for await (const chunk of stdin) {
      for (const character of decoder.decode(chunk as Uint8Array, { stream: true })) {
        if (character === '\u0003') process.exit(130)
        if (character === '\r' || character === '\n' || character === '\u0004') return typed
        typed = character === '\u007f' || character === '\b' ? [...typed].slice(0, -1).join('') : typed + character
      }
    }
    return typed
  } finally {
    stdin.setRawMode(false)
    process.stderr.write('\n')
  }
}
