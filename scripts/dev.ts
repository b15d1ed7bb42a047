import { watch } from 'node:fs'
import { join } from 'node:path'
import { buildUi } from './build-ui'

// The server restarts when its code changes; the interface is built anew when its code changes, and a reload shows it.

const root = join(import.meta.dir, '..')
await buildUi()
const server = Bun.spawn(['bun', '--watch', 'src/server/main.ts', ...process.argv.slice(2)], {
  cwd: root,
  env: { LOG_LEVEL: 'debug', ...process.env },
  stdio: ['inherit', 'inherit', 'inherit'],
})

let timer: Timer | undefined
for (const folder of ['src/ui', 'src/shared', 'locales'])
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(rebuild, 100)
  })

async function rebuild() {
  try {
    await buildUi()
    console.log('interface built')
  } catch (error) {
    console.error(error)
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
await server.exited
