import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand, startExecutable } from '../../support/executable'
import { freePort } from '../../support/ports'
import { findProgram, until } from '../../support/programs'
import type { Report } from '../../support/report'

// Dex, an OpenID provider of others, with the built executable: found in the path, or built where Go is installed.
// `bun run build` first.

const MODULE = 'github.com/dexidp/dex/cmd/dex'
/** Its releases have no version that Go accepts. */
const VERSION = 'v0.0.0-20210917061239-f0186ff2651e'
const person = { email: 'kilgore@kilgore.trout', name: 'Kilgore Trout', password: 'So1tgoes' }
const verifier = 'a-verifier-that-nobody-else-has-seen-before-this-try'
const challenge = new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')

/** The program's path; null with the reason if there is none. */
async function findDex(): Promise<{ path: string | null; reason: string }> {
  const folder = join(tmpdir(), 'castellan-dex')
  const built = join(folder, VERSION)
  const found = findProgram('dex') ?? (existsSync(built) ? built : null)
  if (found) return { path: found, reason: '' }
  if (!Bun.which('go')) return { path: null, reason: 'neither dex nor go is installed' }
  console.log('        building dex with go, once')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const env = { ...(process.env as Record<string, string>), CGO_ENABLED: '1' }
  // As a part of another module: `go install` refuses modules that replace some of their own.
  const steps = ['go mod init castellan.test/dex', `go get ${MODULE}@${VERSION}`, `go build -o dex ${MODULE}`]
  const { code, stderr } = await runCommand(['sh', '-c', ['cd "$0"', ...steps].join(' && '), folder], env)
  if (code !== 0) return { path: null, reason: `go cannot build it: ${stderr.trim().split('\n').at(-1)}` }
  renameSync(join(folder, 'dex'), built)
  return { path: built, reason: '' }
}

type Client = { id: string; secret: string | null }

/** The program with one person and one client, once it answers. */
async function startDex(path: string, folder: string, client: Client, redirects: readonly string[]) {
  const issuer = `http://127.0.0.1:${freePort()}/dex`
  const hash = await Bun.password.hash(person.password, { algorithm: 'bcrypt', cost: 10 })
  const configuration = {
    issuer,
    storage: { type: 'memory' },
    web: { http: new URL(issuer).host },
    oauth2: { skipApprovalScreen: true },
    enablePasswordDB: true,
    staticClients: [
      {
        id: client.id,
        name: 'Castellan',
        redirectURIs: redirects,
        ...(client.secret === null ? { public: true } : { secret: client.secret }),
      },
    ],
    staticPasswords: [{ email: person.email, hash, username: person.name, userID: crypto.randomUUID() }],
  }
  // JSON is YAML.
  writeFileSync(join(folder, 'dex.yaml'), JSON.stringify(configuration))
  const running = Bun.spawn([path, 'serve', join(folder, 'dex.yaml')], { stdout: 'pipe', stderr: 'pipe' })
  const errors = new Response(running.stderr).text()
  const discovery = `${issuer}/.well-known/openid-configuration`
  await until('dex answers', async () => {
    if (running.exitCode !== null) throw new Error(`dex did not start: ${await errors}`)
    return fetch(discovery).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  return {
    issuer,
    async [Symbol.asyncDispose]() {
      running.kill()
      await running.exited
    },
  }
}

/** Signs in on the page of the provider, and returns the address to which it sends the browser. */
async function visit(address: string, redirectUri: string): Promise<URL> {
  let [url, body] = [new URL(address), null as URLSearchParams | null]
  for (let hop = 0; hop < 10; hop++) {
    const response = await fetch(url, { redirect: 'manual', ...(body && { method: 'POST', body }) })
    const text = await response.text()
    const location = response.headers.get('location')
    if (location?.startsWith(redirectUri)) return new URL(location)
    if (location === null && body) throw new Error(`It did not let ${person.email} in: ${text.slice(0, 500)}`)
    body = location === null ? new URLSearchParams({ login: person.email, password: person.password }) : null
    if (location !== null) url = new URL(location, url)
  }
  throw new Error(`It never came back from ${url.href}`)
}

type Tokens = { id_token: string; refresh_token: string }

async function tryClient(report: Report, path: string, client: Client) {
  const kind = client.secret === null ? 'a public client' : 'a confidential client'
  const check = (name: string, isFine: boolean, detail = '') => report.check(`dex, ${kind}: ${name}`, isFine, detail)
  const folder = mkdtempSync(join(tmpdir(), 'castellan-oidc-'))
  const port = String(freePort())
  const origin = `http://127.0.0.1:${port}`
  const [page, app] = [`${origin}/ui/`, `${origin}/auth/openid/mobile-redirect`]
  try {
    await using dex = await startDex(path, folder, client, [page, app])
    const scope = 'openid profile email groups offline_access'
    await using _ = await startExecutable({
      DATA_DIRECTORY: join(folder, 'data'),
      DISK_RESERVE: '0',
      PORT: port,
      OIDC_AUTH: 'true',
      OIDC_AUTHORITY: dex.issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_SCOPE: scope,
      ...(client.secret !== null && { OIDC_CLIENT_SECRET: client.secret }),
    })
    const nameBy = async (token: string) => {
      const response = await fetch(`${origin}/api/v1/users/me`, { headers: { Authorization: `Bearer ${token}` } })
      return ((await response.json()) as { username?: string }).username ?? `status ${response.status}`
    }
    const post = async (form: Record<string, string>) => {
      const body = new URLSearchParams(form)
      const response = await fetch(`${origin}/api/v1/sys/openid/token`, { method: 'POST', body })
      return (await response.json()) as Tokens
    }
    const addresses = (await (await fetch(`${origin}/api/v1/sys/openid`)).json()) as { authorization_endpoint: string }
    const proof = { response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' }
    const asked = { ...proof, client_id: client.id, redirect_uri: page, scope, state: 'a state', nonce: 'a nonce' }
    const back = await visit(`${addresses.authorization_endpoint}?${new URLSearchParams(asked)}`, page)
    const code = back.searchParams.get('code')!
    const form = { grant_type: 'authorization_code', code, redirect_uri: page, code_verifier: verifier }
    const tokens = await post(form)
    const name = await nameBy(tokens.id_token)
    check('the page signs in', name === person.name, JSON.stringify({ name, tokens: Object.keys(tokens) }))
    const renewed = await post({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
    check('and is renewed', (await nameBy(renewed.id_token)) === person.name, JSON.stringify(Object.keys(renewed)))

    const wish = new URLSearchParams({ ...proof, redirect_uri: 'audiobookshelf://oauth', client_id: 'an app' })
    const sent = await fetch(`${origin}/auth/openid?${wish}`, { redirect: 'manual' })
    const returned = await visit(sent.headers.get('location')!, app)
    const target = new URL((await fetch(returned, { redirect: 'manual' })).headers.get('location')!)
    const answer = new URLSearchParams({ ...Object.fromEntries(target.searchParams), code_verifier: verifier })
    const response = await fetch(`${origin}/auth/openid/callback?${answer}`)
    const { user } = (await response.json()) as { user?: { username: string } }
    check('an app signs in as the same person', user?.username === person.name, `status ${response.status}`)
  } catch (error) {
    check('everything', false, String(error))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function run(report: Report) {
  const { path, reason } = await findDex()
  if (!path) return report.skip('dex', reason)
  await tryClient(report, path, { id: 'castellan', secret: 'a secret: with % and +' })
  await tryClient(report, path, { id: 'castellan', secret: null })
}
