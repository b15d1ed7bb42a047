/**
 * Runs a script of a client, does what its lines `server: …` ask for, prints the others; answers whether all went well.
 */
export async function runScript(command: readonly string[], wish: (name: string) => unknown): Promise<boolean> {
  const child = Bun.spawn([...command], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  })
  for await (const line of linesOf(child.stdout)) {
    const name = /^server: (\w+)$/.exec(line)?.[1]
    if (name === undefined) {
      console.log(line)
      continue
    }
    await wish(name)
    child.stdin.write('done\n')
    await child.stdin.flush()
  }
  return (await child.exited) === 0
}

async function* linesOf(stream: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    yield* lines
  }
}
