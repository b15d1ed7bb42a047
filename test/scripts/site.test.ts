import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'bun:test'
import { buildSite, type SitePage } from '../../scripts/site/build-site'
import { parseArguments } from '../../src/server/cli/arguments'
import { commandHelp } from '../../src/server/cli/help'
import { secretVariables, variables } from '../../src/server/config'
import { repository } from '../../src/shared/origin'
import { temporaryFolder } from '../support/app'

const folders = { whole: temporaryFolder(), offline: temporaryFolder() }
let whole: readonly SitePage[]
let offline: readonly SitePage[]
beforeAll(async () => {
  whole = await buildSite(folders.whole, { isOffline: false })
  offline = await buildSite(folders.offline, { isOffline: true })
}, 60_000)

const linksIn = (html: string) => [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link]) => link!)

/** Links of a folder's pages that lead to no file of it, or to no heading of the page. */
async function deadLinks(folder: string, pages: readonly SitePage[], read: (name: string) => Promise<string>) {
  const dead: string[] = []
  const html = new Map<string, string>()
  for (const { name } of pages) html.set(`${name}.html`, await read(name))
  for (const [name, text] of html)
    for (const link of linksIn(text)) {
      if (/^(https?:|mailto:|\.\.\/)/.test(link)) continue
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? name : path
      const exists = html.has(target) || existsSync(join(folder, target)) || existsSync(join(folder, `${target}.gz`))
      const hasAnchor = !anchor || (html.get(target) ?? '').includes(` id="${anchor}"`)
      if (!exists || !hasAnchor) dead.push(`${name}: ${link}`)
    }
  return dead
}

test('every link of the site leads to a page, a heading, a picture or a file of the repository', async () => {
  const read = (name: string) => Bun.file(join(folders.whole, `${name}.html`)).text()
  expect(whole.length).toBeGreaterThan(17)
  expect(await deadLinks(folders.whole, whole, read)).toEqual([])
  const files = whole.flatMap(({ html }) => linksIn(html)).filter(link => link.startsWith(`${repository}/blob/main/`))
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter(link => !existsSync(link.slice(`${repository}/blob/main/`.length).split('#')[0]!))).toEqual([])
})

test('every link of the documents in the executable leads somewhere, without a network', async () => {
  const read = async (name: string) =>
    Buffer.from(Bun.gunzipSync(await Bun.file(join(folders.offline, `${name}.html.gz`)).bytes())).toString()
  expect(await deadLinks(folders.offline, offline, read)).toEqual([])
  expect(offline.filter(({ html }) => html.includes('<img'))).toEqual([])
})

/** The code blocks of the documents in one language. */
const snippets = async (language: string) => {
  const names = ['README.md', ...new Bun.Glob('docs/*.md').scanSync()]
  const texts = await Promise.all(names.map(async name => [name, await Bun.file(name).text()] as const))
  return texts.flatMap(([name, text]) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code]) => ({
      name,
      code: code!,
    })),
  )
}

const known = new Set([...variables.map(({ name }) => name), ...secretVariables.map(name => `${name}_FILE`)])

test('every shell snippet is shell, sets variables that exist, and calls commands with options that exist', async () => {
  const wrong: string[] = []
  for (const { name, code } of await snippets('sh')) {
    const shell = Bun.spawnSync(['bash', '-n'], { stdin: Buffer.from(code) })
    if (!shell.success) wrong.push(`${name}: ${shell.stderr.toString()}`)
    for (const line of code.split('\n')) {
      for (const [, variable] of line.matchAll(/^(?=[A-Z])(\w+)=/g))
        if (!known.has(variable!)) wrong.push(`${name}: ${line}`)
      for (const [file] of line.matchAll(/\bpackaging\/[\w./-]+/g))
        if (!existsSync(file)) wrong.push(`${name}: ${file}`)
      const [, call] = /(?:^|\$\(|-u castellan )(?:\.\/castellan-linux-x64|castellan) ([^#|)]+)/.exec(line) ?? []
      if (call === undefined) continue
      const args = call.trim().match(/'[^']*'|\S+/g)!
      const command = parseArguments(args)
      if (!('args' in command)) continue
      const usage = commandHelp(command.name)
      const options = args.filter(arg => /^--[a-z]/.test(arg) && arg !== '--config')
      wrong.push(...options.filter(option => !usage.includes(option)).map(option => `${name}: ${option} in ${line}`))
    }
  }
  expect(wrong).toEqual([])
})

test('every JSON snippet is JSON, and every YAML snippet YAML', async () => {
  const json = await snippets('json')
  const yaml = await snippets('yaml')
  expect([json.length, yaml.length]).not.toContain(0)
  for (const { code } of json) expect(() => JSON.parse(code)).not.toThrow()
  for (const { code } of yaml) expect(() => Bun.YAML.parse(code)).not.toThrow()
})
