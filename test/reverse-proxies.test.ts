import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { basic, startTestApp, temporaryFolder, withPasswords, type TestApp } from './support/app'
import { noise, rss } from './support/builders'
import { certificate, certificateKey } from './support/certificate'
import { startFeedHost } from './support/feed-host'
import { freePort } from './support/ports'
import { findProgram, until } from './support/programs'

// The examples of docs/reverse-proxy.md, as people copy them: only ports and files are replaced.

const page = await Bun.file('docs/reverse-proxy.md').text()
const examplesIn = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text!)

type Example = { folder: string; port: number; target: number; text: string }
type Kind = { program: string; language: string; at: (example: Example) => { file: string; command: string[] } }

/** Puts the certificate of the tests and its key into a folder, and into the places that an example names. */
function withFiles({ folder, port, target, text }: Example): string {
  writeFileSync(join(folder, 'cert.pem'), certificate)
  writeFileSync(join(folder, 'key.pem'), certificateKey)
  return text
    .replaceAll('/etc/ssl/pod.example.pem', join(folder, 'cert.pem'))
    .replaceAll('/etc/ssl/pod.example.key', join(folder, 'key.pem'))
    .replaceAll('127.0.0.1:8000', `127.0.0.1:${target}`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('*:443', `127.0.0.1:${port}`)
}

const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
const modules = ['mpm_event', 'authz_core', 'ssl', 'socache_shmcb', 'headers', 'proxy', 'proxy_http']

const kinds: Kind[] = [
  {
    program: 'nginx',
    language: 'nginx',
    at(example) {
      const { folder } = example
      const temporary = temporaryPaths.map(name => `${name}_temp_path ${folder}/${name};`).join(' ')
      const file = `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
http { access_log off; ${temporary}
${withFiles(example)}}`
      return { file, command: ['nginx', '-e', `${folder}/error.log`, '-c', `${folder}/conf`] }
    },
  },
  {
    program: 'caddy',
    language: 'caddyfile',
    at(example) {
      const { folder, port } = example
      const site = `https://pod.example:${port} {\n  bind 127.0.0.1\n  tls ${folder}/cert.pem ${folder}/key.pem`
      const file = `{\n  admin off\n  default_sni pod.example\n  auto_https disable_redirects\n}\n${withFiles(example).replace('pod.example {', site)}`
      return { file, command: ['caddy', 'run', '--adapter', 'caddyfile', '--config', `${folder}/conf`] }
    },
  },
  {
    program: 'apache2',
    language: 'apache',
    at(example) {
      const { folder, port } = example
      const loaded = modules.map(name => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
      const file = `ServerRoot ${folder}\nPidFile ${folder}/pid\nErrorLog ${folder}/error.log\nListen 127.0.0.1:${port}
DefaultRuntimeDir ${folder}\n${loaded.join('\n')}\n${withFiles(example)}`
      return { file, command: ['apache2', '-D', 'FOREGROUND', '-f', `${folder}/conf`] }
    },
  },
]

/** The part of an example that stands for a whole host, with another way to reach Castellan in it. */
const belowPath: Record<string, (host: string, path: string) => string> = {
  nginx: (host, path) => host.replace(/ {2}location \/ \{[\s\S]*?^ {2}\}/m, path),
  caddyfile: (host, path) => host.replace('reverse_proxy 127.0.0.1:8000', path),
  apache: (host, path) => host.replace(/^ {2}ProxyPass .*$/m, path),
}

async function startProxy(kind: Kind, text: string, target: number) {
  const [folder, port] = [temporaryFolder(), freePort()]
  mkdirSync(folder, { recursive: true })
  const { file, command } = kind.at({ folder, port, target, text })
  writeFileSync(join(folder, 'conf'), file)
  const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const running = Bun.spawn([findProgram(kind.program)!, ...command.slice(1)], {
    env,
    stderr: 'pipe',
    stdout: 'ignore',
  })
  const answers = () =>
    via(port, '/healthz').then(
      () => true,
      () => running.exitCode !== null,
    )
  await until(`${kind.program} answers`, answers)
  if (running.exitCode !== null) throw new Error(`${file}\n${await new Response(running.stderr).text()}`)
  return {
    port,
    async [Symbol.asyncDispose]() {
      running.kill()
      await running.exited
    },
  }
}

/** A request for `pod.example` that arrives at a port of this machine. */
const via = (
  port: number,
  path: string,
  { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> } = {},
) =>
  fetch(`https://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { Host: 'pod.example', ...headers },
    tls: { ca: certificate, serverName: 'pod.example', checkServerIdentity: () => undefined },
  } as RequestInit)

const authorization = basic('root', 'Sup3rSecret')

/** Opens the live events through the proxy, as a page of `pod.example` does. */
function opens(port: number, prefix: string): Promise<boolean> {
  const socket = new WebSocket(`wss://127.0.0.1:${port}${prefix}/ws`, {
    headers: { Host: 'pod.example', Origin: 'https://pod.example', Authorization: authorization },
    tls: { rejectUnauthorized: false },
  } as never)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.onopen = () => resolve(true)
  socket.onclose = () => resolve(false)
  return promise.finally(() => socket.close())
}

/** Whether the server behind the proxy is all there: pages, addresses, uploads, ranges and live events. */
async function lookAround(app: TestApp, port: number, prefix: string, media: string, bytes: Uint8Array) {
  const first = await via(port, `${prefix}/`, { redirect: 'manual' })
  expect([first.status, first.headers.get('location')?.replace('https://pod.example', '')]).toEqual([
    302,
    `${prefix}/ui/`,
  ])
  const shell = await via(port, `${prefix}/ui/`)
  expect(shell.status).toBe(200)
  expect(await shell.text()).toContain(`data-prefix="${prefix}"`)
  const headers = { Authorization: authorization, Origin: 'https://pod.example', 'Content-Type': 'application/json' }
  expect(await (await via(port, `${prefix}/api/v1/sys/config`, { headers })).json()).toMatchObject({
    serverUrl: `https://pod.example${prefix}/`,
  })

  const login = { method: 'POST', headers, body: JSON.stringify({ username: 'root', password: 'Sup3rSecret' }) }
  const signedIn = await via(port, `${prefix}/api/v1/login`, login)
  expect([signedIn.status, signedIn.headers.get('set-cookie')]).toEqual([200, expect.stringContaining('Secure')])
  const opml = JSON.stringify({ content: `<opml>${' '.repeat(9_000_000)}` })
  const upload = await via(port, `${prefix}/api/v1/podcasts/opml`, { method: 'POST', headers, body: opml })
  expect(await upload.json()).toMatchObject({ errorCode: 'invalid-opml' })

  const range = await via(port, prefix + media, { headers: { ...headers, Range: 'bytes=1000-1999' } })
  expect([range.status, range.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/300000'])
  expect(new Uint8Array(await range.arrayBuffer())).toEqual(bytes.slice(1000, 2000))
  expect(await opens(port, prefix)).toBe(true)
  expect(app.lines.join('\n')).not.toMatch(/unexpected error/i)
}

for (const kind of kinds) {
  const isHere = findProgram(kind.program) !== null
  const [host, path] = examplesIn(kind.language)
  test.skipIf(!isHere)(
    `${kind.program}, as documented, passes on pages, uploads, ranges and live events${isHere ? '' : ' (not installed)'}`,
    async () => {
      using feeds = startFeedHost()
      const bytes = noise(300_000) as Uint8Array<ArrayBuffer>
      for (const prefix of ['', '/podcasts']) {
        await using app = await startTestApp({ env: { ...withPasswords, ...(prefix && { SUB_DIRECTORY: prefix }) } })
        app.prefill(0)
        const { podcasts } = app.as('root', 'Sup3rSecret')
        const items = [{ title: 'Fog', enclosure: feeds.file('/a.mp3', bytes) }]
        const podcast = await podcasts.add(feeds.feed('/feed.xml', rss({ items })))
        const { data } = await podcasts.episodes(podcast.id, {}, null)
        const media = new URL(data[0]!.podcastEpisode.local_url).pathname.slice(prefix.length)
        const text = prefix === '' ? host! : belowPath[kind.language]!(host!, path!)
        await using proxy = await startProxy(kind, text, Number(new URL(app.listen()).port))
        await lookAround(app, proxy.port, prefix, media, bytes)
      }
    },
    60_000,
  )
}

const nginxIsHere = findProgram('nginx') !== null

test.skipIf(!nginxIsHere)(
  'nginx, as documented for a proxy that signs people in, lets apps through and gives nobody their name',
  async () => {
    const [host, , apps] = examplesIn('nginx')
    const env = {
      REVERSE_PROXY: 'true',
      REVERSE_PROXY_AUTO_SIGN_UP: 'true',
      ADMINS: 'mara',
      AUDIOBOOKSHELF_API: 'true',
    }
    await using app = await startTestApp({ env })
    // In place of a provider: whoever sends the header X-Knows is mara.
    const check = 'location = /check { internal; if ($http_x_knows = "mara") { return 204; } return 401; }'
    const text = host!
      .replace(/^ {2}location \/ \{/m, match => `${apps}\n${check}\n${match}\n    auth_request /check;`)
      .replace(/(auth_request \/check;[\s\S]*?X-Forwarded-User +)""/, '$1mara')
    await using proxy = await startProxy(kinds[0]!, text, Number(new URL(app.listen()).port))
    const ask = async (path: string, headers: Record<string, string> = {}) => via(proxy.port, path, { headers })

    expect(await (await ask('/api/v1/users/me', { 'X-Knows': 'mara' })).json()).toMatchObject({ username: 'mara' })
    for (const path of ['/', '/ui/', '/api/v1/users/me', '/metrics'])
      expect([path, (await ask(path)).headers.get('server'), (await ask(path)).status]).toEqual([
        path,
        expect.stringMatching(/^nginx/),
        401,
      ])
    expect(await (await ask('/status')).json()).toMatchObject({ app: 'audiobookshelf' })
    expect((await ask('/ping')).status).toBe(200)
    const forged = { 'X-Forwarded-User': 'mara' }
    for (const path of [
      '/rss',
      '/media/x.mp3',
      '/mcp',
      '/api/libraries',
      '/api/2/devices/mara.json',
      '/ui/subscriptions/mara.json',
    ]) {
      const answer = await ask(path, forged)
      expect([path, answer.status === 401 || answer.status === 405]).toEqual([path, true])
      expect([path, await answer.text()]).not.toEqual([path, expect.stringContaining('<center>nginx')])
    }
  },
  60_000,
)
