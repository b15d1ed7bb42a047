import { createServer, connect, type Socket } from 'node:net'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './app'

/** Without a `user`, it signs nobody in and passes the path on unchanged, as the documents advise. */
export type Signs = { port: number; target: number; prefix: string; user?: string }

/** The address that the proxy comes from: on this machine, but not the one that browsers here come from. */
export const proxyAddress = '127.0.0.2'

/**
 * A proxy below a path that may sign everybody in under one name: one of our own, the same on every machine.
 * `REVERSE_PROXY=nginx` takes nginx, which must be installed.
 */
export async function startReverseProxy(signs: Signs) {
  return process.env['REVERSE_PROXY'] === 'nginx' ? startNginx('nginx', signs) : startOwnProxy(signs)
}

async function startNginx(nginx: string, { port, target, prefix, user }: Signs) {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'temp'), { recursive: true })
  const file = join(folder, 'nginx.conf')
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/temp/${name};`,
  )
  writeFileSync(
    file,
    `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}
http { access_log off; ${temp.join(' ')}
  map $http_upgrade $connection_upgrade { default upgrade; '' close; }
  server { listen 127.0.0.1:${port};
    location ${prefix}/ {
      proxy_pass http://127.0.0.1:${target}${user ? '/' : ''}; proxy_bind ${proxyAddress}; proxy_http_version 1.1; proxy_buffering off;
      proxy_set_header Host $http_host; client_max_body_size 16m;
      ${user ? `proxy_set_header X-Forwarded-User ${user}; proxy_set_header X-Forwarded-Prefix ${prefix};` : ''}
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;
    } } }`,
  )
  const running = Bun.spawn([nginx, '-e', `${folder}/error.log`, '-c', file], { stdout: 'ignore', stderr: 'ignore' })
  while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => null))) await Bun.sleep(20)
  return {
    name: 'nginx',
    async stop() {
      running.kill()
      await running.exited
    },
  }
}

/** One connection for each request: the head is rewritten, the rest goes through as it comes, sockets included. */
async function startOwnProxy({ port, target, prefix, user }: Signs) {
  const server = createServer((browser: Socket) => {
    let head = ''
    const onData = (bytes: Buffer) => {
      head += bytes.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      browser.off('data', onData)
      const [request, ...headers] = head.slice(0, end).split('\r\n')
      const isSocket = /^upgrade: websocket/im.test(head)
      const kept = headers.filter(
        line => !/^(x-forwarded-|connection:)/i.test(line) || (isSocket && /^connection/i.test(line)),
      )
      const added = [
        ...(user ? [`X-Forwarded-User: ${user}`, `X-Forwarded-Prefix: ${prefix}`] : []),
        'X-Forwarded-Proto: http',
        ...(isSocket ? [] : ['Connection: close']),
      ]
      const server = connect({ host: '127.0.0.1', port: target, localAddress: proxyAddress })
      server.write(
        `${[user ? request!.replace(` ${prefix}/`, ' /') : request, ...kept, ...added].join('\r\n')}\r\n\r\n`,
        'latin1',
      )
      server.write(head.slice(end + 4), 'latin1')
      browser.pipe(server)
      server.pipe(browser)
      for (const socket of [browser, server]) socket.on('error', () => browser.destroy())
    }
    browser.on('data', onData)
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return { name: 'our own', stop: async () => void server.close() }
}
