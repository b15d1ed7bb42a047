import { expect, test } from 'bun:test'
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

test('every mistake is told at once', () => {
  const env = {
    PORT: '99999',
    POLLING_INTERVAL: '0',
    DISK_RESERVE: 'lots',
    TLS_CERT: 'x',
    SUB_DIRECTORY: '/a b',
    SERVER_URL: 'pod.example',
    TRUSTED_PROXIES: 'me',
    OIDC_AUTH: '1',
  }
  let mistakes: readonly string[] = []
  try {
    readConfig(env)
  } catch (error) {
    mistakes = (error as ConfigurationMistakes).mistakes
  }
  const named = mistakes.map(mistake => mistake.split(' ')[0]!)
  expect(named.toSorted()).toEqual(Object.keys(env).toSorted())
})

test('a file of variables may hold comments, quotes and exports', () => {
  expect(parseEnvironmentFile('# no\nA=1\nexport B="two words"\n C = \'3\' \nnonsense\nD=a=b')).toEqual({
    A: '1',
    B: 'two words',
    C: '3',
    D: 'a=b',
  })
})

test('every variable is in docs/configuration.md', async () => {
  const text = await Bun.file('docs/configuration.md').text()
  expect(variables.filter(({ name }) => !text.includes(`\`${name}\``))).toEqual([])
})
