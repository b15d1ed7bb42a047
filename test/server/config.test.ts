import { expect, test } from 'bun:test'
import { temporaryFolder } from '../support/app'
import { type ConfigurationMistakes, parseEnvironmentFile, readConfig, variables } from '../../src/server/config'

test('without any variable it is open mode on this machine alone', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 8000,
    prefix: '',
    reserveBytes: 1e9,
    parallelDownloads: 3,
    parallelRefreshes: 16,
  })
})

test('all mistakes are reported together', () => {
  const env = {
    PORT: '99999',
    POLLING_INTERVAL: '0',
    DISK_RESERVE: 'lots',
    TLS_CERT: 'x',
    SUB_DIRECTORY: '/a b',
    SERVER_URL: 'pod.example',
    TRUSTED_PROXIES: 'me',
    BASIC_AUTH: 'perhaps',
    OIDC_AUTHORITY: 'login.example',
    OIDC_CLIENT_ID: '',
    OIDC_ADMIN_CLAIM: 'admins',
    OIDC_APP_REDIRECTS: 'https://evil.example/oauth',
    OIDC_PARAMETERS: 'prompt=consent&redirect_uri=https://evil.example',
    USERNAME: 'a:b',
    API_KEY: 'secret',
    API_KEY_FILE: '/nowhere/key',
    REVERSE_PROXY_HEADER: 'X User',
  }
  let mistakes: readonly string[] = []
  try {
    readConfig({ ...env, OIDC_AUTH: '1', REVERSE_PROXY: 'on' })
  } catch (error) {
    mistakes = (error as ConfigurationMistakes).mistakes
  }
  const named = new Set(mistakes.map(mistake => /[A-Z_]{4,}/.exec(mistake)?.[0]))
  // A missing variable is reported under the variable that needs it.
  expect([...named].toSorted()).toEqual(
    [...Object.keys(env).filter(name => name !== 'OIDC_CLIENT_ID'), 'OIDC_AUTH'].toSorted(),
  )
})

test('a prefix that browsers would split, and an infinite reserve, are mistakes', () => {
  for (const env of [{ SUB_DIRECTORY: './' }, { SUB_DIRECTORY: '/a/../b' }, { DISK_RESERVE: '1e305' }])
    expect(() => readConfig(env)).toThrow(expect.objectContaining({ mistakes: [expect.any(String)] }))
  expect(readConfig({ SUB_DIRECTORY: '/.a/b.c' }).prefix).toBe('/.a/b.c')
})

test('with sign-in it listens on all addresses, and secrets may come from files', async () => {
  const folder = temporaryFolder()
  await Bun.write(`${folder}/password`, 'with a space at the end \n')
  expect(
    readConfig({
      BASIC_AUTH: 'true',
      USERNAME: 'mara',
      PASSWORD_FILE: `${folder}/password`,
      ALLOW_WEAK_PASSWORD: 'true',
    }),
  ).toMatchObject({
    host: '0.0.0.0',
    isOpen: false,
    username: 'mara',
    password: 'with a space at the end ',
  })
  expect(mistakesIn({ BASIC_AUTH: 'true', PASSWORD: 'nodigits' })).toEqual([expect.stringMatching(/^PASSWORD is easy/)])
})

test('a file of variables may hold comments, quotes and exports', () => {
  expect(parseEnvironmentFile('# no\nA=1\nexport B="two words"\n C = \'3\' \nnonsense\nD=a=b')).toEqual({
    A: '1',
    B: 'two words',
    C: '3',
    D: 'a=b',
  })
})

test('every variable is in docs/configuration.md, with its default', async () => {
  const rows = [...(await Bun.file('docs/configuration.md').text()).matchAll(/^\| (`[A-Z].*?) +\| (.*?) +\|/gm)]
  const documented = new Map(
    rows.flatMap(([, names, value]) => names!.split(', ').map(name => [name.replaceAll('`', ''), value!] as const)),
  )
  for (const { name, default: value } of variables)
    expect({ name, default: documented.get(name)?.replaceAll('`', '').replace(/^off$/, 'false') }).toEqual({
      name,
      default: described[name] ?? value,
    })
})

/** Defaults that the document describes more fully than `--help`. */
const described: Record<string, string> = {
  HOST: '127.0.0.1 in open mode, else 0.0.0.0',
  SERVER_URL: 'from the request',
  OIDC_JWKS: 'by discovery',
  LOG_LEVEL: 'info',
  AUDIOBOOKSHELF_API: 'on with sign-in, off in open mode',
}

test('apps of Audiobookshelf may sign in where people do, and in open mode if somebody says so', () => {
  const signIn = { BASIC_AUTH: 'true', PASSWORD: 'Sup3rSecret' }
  const cases: [Record<string, string>, boolean][] = [
    [{}, false],
    [{ AUDIOBOOKSHELF_API: 'true' }, true],
    [signIn, true],
    [{ ...signIn, AUDIOBOOKSHELF_API: 'false' }, false],
    [{ REVERSE_PROXY: 'true' }, true],
  ]
  for (const [env, isOn] of cases) expect([env, readConfig(env).audiobookshelf]).toEqual([env, isOn])
  expect(() => readConfig({ AUDIOBOOKSHELF_API: 'maybe' })).toThrow('AUDIOBOOKSHELF_API')
})

/** The mistakes that an environment is refused for. */
function mistakesIn(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return (error as ConfigurationMistakes).mistakes
  }
}

test('the address of a speech server is completed, and nothing else of it is set without one', () => {
  const addressOf = (TRANSCRIPTION_URL: string) => readConfig({ TRANSCRIPTION_URL }).transcription?.address
  const whole = 'http://whisper:8000/v1/audio/transcriptions'
  expect(['http://whisper:8000', 'http://whisper:8000/', 'http://whisper:8000/v1/', whole].map(addressOf)).toEqual(
    Array.from({ length: 4 }, () => whole),
  )
  expect(addressOf('https://cloud.example/openai/v1')).toBe('https://cloud.example/openai/v1/audio/transcriptions')
  expect(addressOf('http://whisper:8080/inference')).toBe('http://whisper:8080/inference')
  expect(addressOf('https://azure.example/v1?api-version=2')).toBe(
    'https://azure.example/v1/audio/transcriptions?api-version=2',
  )
  expect(readConfig({ TRANSCRIPTION_URL: 'http://w' }).transcription).toMatchObject({ model: 'whisper-1', key: null })
  const mistakes = mistakesIn({ TRANSCRIPTION_MODEL: 'small', TRANSCRIPTION_KEY: 'sesame' })
  expect(mistakes).toEqual([
    'TRANSCRIPTION_MODEL needs TRANSCRIPTION_URL, the address of the server',
    'TRANSCRIPTION_KEY needs TRANSCRIPTION_URL, the address of the server',
  ])
  expect(mistakesIn({ TRANSCRIPTION_URL: 'http://me:sesame@whisper' }).join()).not.toContain('sesame')
  expect(mistakesIn({ TRANSCRIPTION_URL: 'whisper:8000' })).toHaveLength(1)
})
