import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { basic, goodPassword, temporaryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { startExecutable } from '../support/executable'

const browser = await startBrowser()
const folder = temporaryFolder()
const headers = { Authorization: basic('root', 'Sup3rSecret'), 'Content-Type': 'application/json' }
let running: Awaited<ReturnType<typeof startExecutable>>

async function invite(): Promise<string> {
  const answer = await fetch(`${running.origin}/api/v1/invites`, { method: 'POST', headers, body: '{}' })
  return ((await answer.json()) as { id: string }).id
}

beforeAll(async () => {
  const env = { BASIC_AUTH: 'true', USERNAME: 'root', PASSWORD: 'Sup3rSecret' }
  running = await startExecutable({ DATA_DIRECTORY: folder, DISK_RESERVE: '0', ...env })
  for (const username of ['alice', 'bob', 'carol', 'dora']) {
    const body = JSON.stringify({ username, password: goodPassword, inviteId: await invite() })
    await fetch(`${running.origin}/api/v1/users/`, { method: 'POST', headers, body })
  }
  // As earlier versions let them in.
  using db = new Database(join(folder, 'castellan.db'))
  for (const [username, before] of [
    ['..', 'bob'],
    ['con%2f', 'carol'],
    ['\u202ealice', 'dora'],
  ] as const)
    db.run('UPDATE user SET username = ?, name_key = ? WHERE username = ?', [username, username, before])
})
afterAll(async () => {
  await browser.close()
  await running.stop()
})

test('an admin sees names of earlier versions as they are, renames one and deletes another', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${running.origin}/ui/administration/users`)
  await page.getByLabel('Username').fill('root')
  await page.getByLabel('Password').fill('Sup3rSecret')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('<U+202E>alice').waitFor()
  const dialog = page.getByRole('dialog')

  await page.getByRole('button', { name: 'Rename ..', exact: true }).click()
  await dialog.getByLabel('Username').fill('\u0430lice')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('looks like an existing name').waitFor()
  await dialog.getByLabel('Username').fill('12345')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('at least one character that is not a digit').last().waitFor()
  await dialog.getByLabel('Username').fill('bob')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('User renamed').waitFor()
  await page.getByRole('button', { name: 'Rename bob' }).waitFor()

  await page.getByRole('button', { name: 'Change the role of con%2f' }).click()
  await dialog.getByLabel('Role', { exact: true }).selectOption('uploader')
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await page.getByText('Role changed').waitFor()
  await page.getByRole('button', { name: 'Delete con%2f' }).click()
  await dialog.getByRole('button', { name: 'Delete con%2f' }).click()
  await page.getByText('User deleted').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Rename bob' }).waitFor()
  expect(await page.getByText('con%2f').count()).toBe(0)
  await context.close()
}, 60_000)

test('the sign-up says beside the name what is wrong with it', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${running.origin}/ui/invite/${await invite()}`)
  const signUp = async (name: string, reason: string) => {
    await page.getByLabel('Username').fill(name)
    await page.getByLabel('Password').fill(goodPassword)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText(reason).waitFor()
  }
  await signUp('..', 'A name can’t be “.” or “..”.')
  await signUp('a%b', 'These characters can’t be part of a name')
  await signUp('bo\u200bb', 'characters that can’t be seen')
  await signUp('al\u0131ce', 'looks like an existing name')
  await signUp('erika', 'Account created')
  await context.close()
}, 60_000)
