import { expect, test } from 'bun:test'
import { startTestApp, withPasswords } from '../../support/app'

test('only admins learn in which folders the server keeps its files', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const root = app.as(withPasswords.USERNAME, withPasswords.PASSWORD)
  const bob = await app.signUp('bob')
  const namesFor = async ({ authorization }: { authorization: string | null }) => {
    const response = await app.fetch('/api/v1/sys/info', { headers: { Authorization: authorization! } })
    const { disks } = (await response.json()) as { disks: { name: string; available_space: number }[] }
    return disks.map(({ name, available_space }) => [name !== '', available_space > 0])
  }
  expect(await namesFor(root)).toContainEqual([true, true])
  expect(new Set((await namesFor(bob)).map(String))).toEqual(new Set(['false,true']))
})
