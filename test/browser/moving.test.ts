import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openWorld } from '../server/moving/world'
import { libraryFolder, temporaryFolder } from '../support/app'
import { startBrowser } from '../support/browser'
import { silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { writeGpodder } from '../support/foreign/gpodder'
import { keyOfAlice, startOtherCastellan } from '../support/other-castellan'

const browser = await startBrowser()
afterAll(() => browser.close())

/**
 * A server with an empty library, and the desktop of another program, one of whose feeds answers when it is told to.
 */
async function startMoving() {
  const host = startFeedHost()
  openWorld(host)
  const held = Promise.withResolvers<void>()
  host.on('/gone.xml', async () => {
    await held.promise
    return new Response('gone', { status: 410 })
  })
  const running = await startExecutable({ DATA_DIRECTORY: libraryFolder() })
  return {
    origin: running.origin,
    file: writeGpodder(join(temporaryFolder(), 'Database'), host.origin),
    answer: () => held.resolve(),
    async [Symbol.asyncDispose]() {
      held.resolve()
      await running.stop()
      host.stop()
    },
  }
}

/** Drops a file; the code for that is loaded after the page, and accepts the events once it is there. */
const drop = (page: Page, path: string) =>
  page.waitForFunction(
    ([name, text]) => {
      const bytes = Uint8Array.from(atob(text!), character => character.charCodeAt(0))
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([bytes], name!))
      const fire = (type: string) =>
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
      if (fire('dragover')) return false
      for (const type of ['dragenter', 'drop']) fire(type)
      return true
    },
    ['Database', readFileSync(path).toString('base64')],
  )

const rowOf = (page: Page, name: string) => page.getByRole('row', { name }).getByRole('cell').allTextContents()

for (const [device, viewport] of [
  ['a desktop', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const)
  test(`on ${device} a library is dropped, tried out, moved in, watched through a reload, reported and undone`, async () => {
    await using world = await startMoving()
    const page = await browser.newPage({ viewport })
    const errors: string[] = []
    page.on('pageerror', error => errors.push(String(error)))
    await page.goto(`${world.origin}/ui/podcasts`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await drop(page, world.file)

    await page.getByRole('heading', { name: 'Found in gPodder' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/ui/settings/move-in')
    expect(await rowOf(page, 'Podcasts')).toEqual(['3', '0', '1'])
    expect(await rowOf(page, 'Positions and played episodes')).toEqual(['7', '0', '2'])
    expect(await rowOf(page, 'Old episodes')).toEqual(['up to 7', '0', '0'])
    await page.getByText('Why something is left out').click()
    await page.getByText('Podcasts: not a feed on the web (1)').waitFor()

    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('heading', { name: 'Adding the podcasts of gPodder' }).waitFor()
    await page.getByText('2 of 3 podcasts').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Adding the podcasts of gPodder' }).waitFor()
    await page.getByRole('link', { name: 'Alpha' }).waitFor()

    world.answer()
    await page.getByRole('heading', { name: 'Imported from gPodder' }).waitFor()
    expect(await rowOf(page, 'Old episodes')).toEqual(['3', '0', '0'])
    await page.getByText('All podcasts').click()
    await page.getByText('Added, the feed does not answer yet').waitFor()
    const widest = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(widest).toBeLessThanOrEqual(viewport.width)

    await page.getByRole('button', { name: 'Undo everything' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo everything' }).click()
    await page.getByRole('heading', { name: 'The import from gPodder was undone' }).waitFor()
    expect(await rowOf(page, 'Podcasts')).toEqual(['3', '0'])
    await page.goto(`${world.origin}/ui/podcasts`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByRole('link', { name: 'Alpha' }).count()).toBe(0)

    await page.goto(`${world.origin}/ui/settings/move-in`)
    await page.getByRole('button', { name: 'Import another file' }).click()
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    expect(errors).toEqual([])
    await page.close()
  }, 120_000)

test('a file that cannot be read says why, and another one can be chosen at once', async () => {
  await using world = await startMoving()
  const page = await browser.newPage()
  await page.goto(`${world.origin}/ui/settings/move-in`)
  const choose = page.locator('input[type=file]')
  await page.getByRole('button', { name: 'Choose a file' }).waitFor()
  await choose.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
  await page.getByText(/know this kind of file. It reads those of PodFetch/).waitFor()
  await choose.setInputFiles(world.file)
  await page.getByRole('heading', { name: 'Found in gPodder' }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Choose a file' }).waitFor()
  await page.close()
}, 120_000)

test('in German, a refused file, path or server says why in German, with the fact behind it as it is', async () => {
  await using world = await startMoving()
  const page = await browser.newPage({ locale: 'de-DE' })
  await page.goto(`${world.origin}/ui/settings/move-in`)
  const choose = page.locator('input[type=file]')
  await page.getByRole('button', { name: 'Datei auswählen' }).waitFor()
  const told = async (name: string, text: string) => {
    await choose.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    const alert = page.getByRole('region', { name: `Aus ${name} wurde nichts übernommen` }).getByRole('alert')
    const words = await alert.innerText()
    return { words, english: await alert.locator('[lang]').count() }
  }
  const unknown = await told('notizen.txt', 'hello')
  expect(unknown).toEqual({ words: expect.stringContaining('kennt Castellan nicht'), english: 0 })
  const dump = await told('dump.sql', "-- PostgreSQL database dump\nSET client_encoding = 'LATIN1';\n")
  expect(dump).toEqual({ words: expect.stringMatching(/^Dieser Dump ist nicht lesbar.* LATIN1$/), english: 0 })
  await page.close()
}, 120_000)

test('another Castellan is moved in by its address, with its files, on a phone', async () => {
  await using world = await startMoving()
  await using other = await startOtherCastellan(silentMp3(2))
  const viewport = { width: 390, height: 844 }
  const page = await browser.newPage({ viewport })
  await page.goto(`${world.origin}/ui/settings/move-in`)
  await page.getByText('From another server').click()
  await page.getByLabel('Address of the server').fill(other.address)
  await page.getByLabel('Username').fill('alice')
  const password = page.getByLabel('Password or API key')
  await password.fill('wrong')
  await password.press('Enter')
  await page.getByText('accept this username or password').waitFor()
  // Nothing has to be entered again but what was wrong.
  await password.fill(keyOfAlice)
  await password.press('Enter')
  await page.getByRole('heading', { name: /^Found in / }).waitFor()
  expect(await rowOf(page, 'Files')).toEqual(['0', '0', '2'])
  await page.getByRole('switch', { name: 'Bring the downloaded files' }).click()
  await page.getByRole('button', { name: 'Try out again' }).click()
  await page.getByText('They are fetched from the other server').waitFor()
  await page.getByRole('row', { name: 'Files 2 0 0' }).waitFor()
  const widest = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(widest).toBeLessThanOrEqual(viewport.width)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: /^Imported from / }).waitFor()
  expect(await rowOf(page, 'Files')).toEqual(['2', '0', '0'])
  await page.getByRole('button', { name: 'Undo everything' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo everything' }).click()
  await page.getByRole('heading', { name: /was undone$/ }).waitFor()
  expect(await rowOf(page, 'Files')).toEqual(['2', '0'])
  await page.close()
}, 120_000)
