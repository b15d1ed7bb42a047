import { signal } from '@preact/signals-core'
import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'bun:test'
import type { AuditEntry } from '../../../src/shared/api/audit'
import { auditTopicNames, auditTopics } from '../../../src/shared/audit-kinds'
import { createClient } from '../../../src/ui/api/client'
import { AppProvider } from '../../../src/ui/app-context'
import { ActivityTab } from '../../../src/ui/pages/administration/activity-tab'

const at = '2026-05-01T12:00:00.000Z'
const mara = { id: 'm', name: 'mara' }
const entryOf = (more: Partial<AuditEntry>): AuditEntry => ({
  id: `${more.kind}`,
  at,
  since: at,
  count: 1,
  topic: 'sign-in',
  kind: 'signed-in',
  by: 'user',
  actor: mara,
  about: null,
  address: '203.0.113.7',
  via: '',
  reason: '',
  detail: '',
  facts: {},
  ...more,
})

/** The tab of an admin, with these entries. */
async function show(entries: readonly AuditEntry[]) {
  const client = createClient('', { fetch: async () => Response.json(entries) })
  const app = { client, api: { users: { list: async () => [] } }, session: { user: signal({ role: 'admin' }) } }
  render(
    <AppProvider value={app as never}>
      <ActivityTab />
    </AppProvider>,
  )
  return within(await screen.findByRole('list')).getAllByRole('listitem')
}

test('every kind has a row with who, what, when and where, and the icon of its topic', async () => {
  const entries = auditTopicNames.flatMap(topic => auditTopics[topic].map(kind => entryOf({ topic, kind })))
  const rows = await show(entries)
  expect(rows).toHaveLength(entries.length)
  for (const [index, { topic, kind }] of entries.entries()) {
    const row = rows[index]!
    expect(within(row).getByRole('img').getAttribute('aria-label')).toBe(`activity-topic-${topic}`)
    expect(row.textContent).toStartWith('mara')
    expect(row.textContent).toContain(`act-${kind}`)
    expect(row.querySelector('time')?.dateTime).toBe(at)
    expect(row.textContent).toEndWith('203.0.113.7')
  }
})

test('settings are called as on their page, with the old value struck out, and imports are counted', async () => {
  const changes = [
    { name: 'keepLast' as const, before: null, after: 3 },
    { name: 'autoUpdate' as const, before: true, after: false },
  ]
  const [settings, imported, renamed] = await show([
    entryOf({ kind: 'settings-changed', detail: 'keepLast: null → 3', facts: { changes } }),
    entryOf({ kind: 'import-finished', detail: 'OPML', facts: { podcasts: { added: 2, present: 0, failed: 1 } } }),
    entryOf({ kind: 'user-renamed', about: { id: 'b', name: 'bob' }, detail: 'rob' }),
  ])
  const changesIn = (row: HTMLElement) => [...row.querySelectorAll('.activity-change')].map(line => line.textContent)
  expect(changesIn(settings!)).toEqual(['setting-keepLast: all 3', 'setting-autoUpdate: setting-is-on setting-is-off'])
  expect(settings!.querySelector('del')?.textContent).toBe('all')
  expect(settings!.textContent).not.toContain('null')
  expect(imported!.textContent).toContain('act-import-finished · OPML · activity-import-added · activity-import-failed')
  expect(changesIn(renamed!)).toEqual(['username: bob rob'])
})

test('an account called Server is told from the server', async () => {
  const [account, server] = await show([
    entryOf({ kind: 'backup-removed', actor: { id: 's', name: 'Server' } }),
    entryOf({ kind: 'backup-made', by: 'server', actor: null, address: '' }),
  ])
  expect(account!.querySelector('.is-nobody')).toBeNull()
  expect(server!.querySelector('.is-nobody')?.textContent).toBe('activity-by-server')
})
