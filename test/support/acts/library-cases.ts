import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditKind } from '../../../src/shared/audit-kinds'
import { runBackupCommand, runRestoreCommand } from '../../../src/server/cli/backup'
import { DAY } from '../../../src/server/platform/clock'
import { writeGpodder } from '../foreign/gpodder'
import { by, byAdmin, someone, type Case } from './case'
import { asAdmin, feedOf, type Visitor, type World } from './world'

/** Brings a file of another program, and lets it move in. */
async function moveIn({ memory, host }: World, { moves }: Visitor) {
  const { app } = memory!
  const move = await moves.start({ path: writeGpodder(join(app.folder, crypto.randomUUID()), host.origin) })
  const settle = async () => {
    app.context.moves.resume()
    await app.context.moves.settled()
  }
  await settle()
  await moves.begin(move.id)
  await settle()
  return { move, settle }
}

const opml = (feeds: readonly string[]) =>
  `<opml version="2.0"><body>${feeds.map(feed => `<outline type="rss" xmlUrl="${feed}"/>`).join('')}</body></opml>`

/** Settings, podcasts, imports and backups. */
export const libraryCases = {
  'settings-changed': [
    {
      what: 'by an admin',
      async cause(world, from) {
        const { system } = asAdmin(world, from)
        const { podcastPrefill: before } = await system.settings()
        await system.editSettings({ podcastPrefill: 0, keepLast: 3, autoCleanup: true })
        const changes = [
          { name: 'autoCleanup', before: false, after: true },
          { name: 'podcastPrefill', before, after: 0 },
          { name: 'keepLast', before: null, after: 3 },
        ]
        return byAdmin({ facts: { changes } })
      },
    },
    {
      what: 'how files are named',
      async cause(world, from) {
        await asAdmin(world, from).system.editNaming({ replacementStrategy: 'remove', directPaths: true })
        return byAdmin({
          detail: 'directPaths: false → true, replacementStrategy: replace-with-dash → remove',
        })
      },
    },
  ],
  'podcast-added': [
    {
      what: 'by a person',
      async cause(world, from) {
        const one = await someone(world)
        await one.at(from).podcasts.add(feedOf(world, 'Lamp Hour'))
        return by(one, { detail: 'Lamp Hour' })
      },
    },
  ],
  'podcast-removed': [
    {
      what: 'by a person',
      async cause(world, from) {
        const one = await someone(world)
        const { id } = await one.at(from).podcasts.add(feedOf(world, 'Fog Horn'))
        await one.at(from).podcasts.remove(id, true)
        return by(one, { detail: 'Fog Horn' })
      },
    },
  ],
  'import-started': [
    {
      what: 'a file of another program',
      inMemory: true,
      async cause(world, from) {
        await moveIn(world, asAdmin(world, from))
        return byAdmin({})
      },
    },
  ],
  'import-finished': [
    {
      what: 'a list of feeds',
      inMemory: true,
      async cause(world, from) {
        const one = await someone(world)
        const { jobId } = await one.at(from).opml.start({
          content: opml([feedOf(world, 'One'), feedOf(world, 'Lamp Hour'), `${world.host.origin}/none`]),
        })
        await world.memory!.app.event('opmlProgress', event => event.finished && event.jobId === jobId)
        return by(one, { detail: 'OPML', facts: { podcasts: { added: 1, present: 1, failed: 1 } } })
      },
    },
  ],
  'import-undone': [
    {
      what: 'a file of another program',
      inMemory: true,
      async cause(world, from) {
        const api = asAdmin(world, from)
        const { move, settle } = await moveIn(world, api)
        await api.moves.undo(move.id)
        await settle()
        return byAdmin({})
      },
    },
  ],
  'backup-made': [
    {
      what: 'by an admin',
      async cause(world, from) {
        const { name } = await asAdmin(world, from).backups.create()
        return byAdmin({ detail: name })
      },
    },
    {
      what: 'a command',
      inMemory: true,
      isCommand: true,
      async cause({ memory }) {
        const { folder, context } = memory!.app
        runBackupCommand([join(folder, 'by-hand.db')], context.config, () => {})
        return { by: 'command-line', actor: null, detail: 'by-hand.db', address: '' }
      },
    },
  ],
  'backup-failed': [
    {
      what: 'a scheduled one, without its folder',
      inMemory: true,
      async cause({ memory }) {
        const { app, advance } = memory!
        const folder = join(app.folder, 'backups')
        rmSync(folder, { recursive: true, force: true })
        writeFileSync(folder, 'no folder')
        advance(2 * DAY)
        await app.context.backups.createIfDue().catch(() => {})
        rmSync(folder)
        return { by: 'server', actor: null, address: '' }
      },
    },
  ],
  'backup-downloaded': [
    {
      what: 'by an admin',
      async cause(world, from) {
        const { backups, send } = asAdmin(world, from)
        const { name } = await backups.create()
        await (await send('GET', `/api/v1/backups/${name}`)).body?.cancel()
        return byAdmin({ detail: name })
      },
    },
  ],
  'backup-removed': [
    {
      what: 'by an admin',
      async cause(world, from) {
        const { backups } = asAdmin(world, from)
        const { name } = await backups.create()
        await backups.remove(name)
        return byAdmin({ detail: name })
      },
    },
  ],
  restored: [
    {
      what: 'a command',
      inMemory: true,
      isCommand: true,
      async cause({ memory }) {
        const { folder, context } = memory!.app
        const file = join(folder, 'kept.db')
        runBackupCommand([file], context.config, () => {})
        await memory!.restart(() => runRestoreCommand([file], context.config, () => {}))
        return { by: 'command-line', actor: null, detail: 'kept.db', address: '' }
      },
    },
  ],
} satisfies Partial<Record<AuditKind, readonly Case[]>>
