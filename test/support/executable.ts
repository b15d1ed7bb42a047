import { join } from 'node:path'

export const executable = join(import.meta.dir, '../../dist/castellan')

/**
 * The built executable, or another command, on a free port, running when this returns. The environment is this alone.
 * `onSpawn` gets the process before it has started.
 */
export async function startExecutable(
  env: Record<string, string>,
  command: readonly string[] = [executable],
  onSpawn: (pid: number) => void = () => {},
) {
  const process = Bun.spawn([...command], {
    env: { HOST: '127.0.0.1', PORT: '0', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  onSpawn(process.pid)
  const output: string[] = []
  const { address, ended } = readOutput(process.stdout, output)
  const origin = await address
  if (!origin) throw new Error(`it did not start: ${output.join('')}${await new Response(process.stderr).text()}`)
  const stop = async () => {
    process.kill('SIGTERM')
    await ended
    return process.exited
  }
  return {
    process,
    origin,
    output,
    stop,
    /** A call of the API: POST with a body, GET without one. */
    async api<T>(path: string, body?: unknown): Promise<T> {
      const response = await fetch(`${origin}/api/v1${path}`, {
        ...(body !== undefined && {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'Content-Type': 'application/json' },
        }),
      })
      if (!response.ok) throw new Error(await response.text())
      return (await response.json()) as T
    },
    async [Symbol.asyncDispose]() {
      await stop()
    },
  }
}

/**
 * Reads what the process says, to its end, so that it never blocks. `address`: what it names; null = it ended without.
 */
function readOutput(stdout: ReadableStream<Uint8Array>, output: string[]) {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const decoder = new TextDecoder()
  const read = async () => {
    for await (const chunk of stdout) {
      output.push(decoder.decode(chunk, { stream: true }))
      const address = /address"?[=:]"?(http[^"\s]+)\/"?/.exec(output.join(''))?.[1]
      if (address) resolve(address)
    }
    resolve(null)
  }
  return { address: promise, ended: read() }
}

/** Runs the executable to its end. */
export const runExecutable = (args: readonly string[], env: Record<string, string> = {}, input = '') =>
  runCommand([executable, ...args], env, input)

/** Runs a command, such as one that limits the executable, to its end. */
export async function runCommand(command: readonly string[], env: Record<string, string>, input = '') {
  const stdin = new Blob([input])
  const process = Bun.spawn([...command], { env, stdin, stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr] = await Promise.all([new Response(process.stdout).text(), new Response(process.stderr).text()])
  return { code: await process.exited, stdout, stderr }
}
