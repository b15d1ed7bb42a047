import type { Database } from 'bun:sqlite'
import { Glob } from 'bun'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '../../../src/server/store/open'
import { temporaryFolder } from '../../support/app'

const store = join(import.meta.dir, '../../../src/server/store')

/** A row type, the table it is read from, and where the two may differ. */
type Pair = {
  table: string
  /** Columns that its queries leave out. */
  without?: readonly string[]
  /** Properties that come from other tables. */
  joined?: readonly string[]
}

const pairs: Record<string, Pair> = {
  ActionRow: { table: 'episode_action', without: ['episode_key'] },
  AppPasswordRow: { table: 'app_password' },
  AppSessionRow: { table: 'app_session' },
  BookmarkRow: {
    table: 'bookmark',
    without: ['user_id', 'episode_id'],
    joined: ['episode_uuid', 'episode_title', 'podcast_uuid', 'podcast_title', 'published_at'],
  },
  ChapterRow: { table: 'chapter' },
  ClipRow: { table: 'clip' },
  CoverRow: { table: 'cover' },
  AuditRow: { table: 'audit', without: ['fold'] },
  BegunRow: { table: 'begun_work' },
  DeliveryRow: { table: 'delivery' },
  DestinationRow: { table: 'destination' },
  DeviceRow: { table: 'device' },
  DocumentRow: { table: 'document', without: ['body', 'segments'] },
  DownloadColumns: { table: 'download' },
  EpisodeColumns: { table: 'episode' },
  FilterRow: { table: 'list_filter', without: ['user_id'] },
  FormerRow: { table: 'former_episode' },
  InviteRow: { table: 'invite' },
  JobColumns: { table: 'job' },
  JobItemColumns: { table: 'job_item' },
  KeptFile: { table: 'kept_file' },
  LiveNoticeRow: { table: 'live_notice' },
  ListenedRow: { table: 'listened', without: ['user_id'] },
  MoveChangeRow: { table: 'move_change', without: ['move_id', 'place', 'after'] },
  MoveCountRow: { table: 'move_count', without: ['move_id'] },
  MovePodcastRow: { table: 'move_podcast' },
  MoveRow: { table: 'move', without: ['stage', 'undo'] },
  NotificationRow: {
    table: 'notification',
    without: ['podcast_id', 'episode_id', 'batch'],
    joined: ['podcast_uuid', 'episode_uuid'],
  },
  PasskeyRow: { table: 'passkey' },
  PlaySessionRow: { table: 'play_session' },
  PlaybackRow: { table: 'playback', without: ['played'] },
  PlaylistRow: { table: 'playlist', without: ['name_key'] },
  PodcastColumns: { table: 'podcast' },
  PodcastSettingsRow: { table: 'podcast_settings', without: ['podcast_id'] },
  Removal: { table: 'removal' },
  QueueRow: { table: 'queue', without: ['user_id'] },
  SavedQueueRow: { table: 'saved_queue', without: ['name_key'] },
  SecondFactorRow: { table: 'second_factor' },
  SessionRow: { table: 'session' },
  SettingsRow: { table: 'settings', without: ['id'] },
  SidecarRow: { table: 'sidecar' },
  SkipMarkRow: { table: 'skip_mark', without: ['user_id', 'episode_id'], joined: ['episode_uuid'] },
  SubscriptionRow: { table: 'subscription' },
  SyncRequestRow: { table: 'sync_asked', without: ['device_id', 'what'] },
  TagRow: { table: 'tag' },
  TranscriptionColumns: { table: 'transcription', without: ['answer'] },
  UndoCountRow: { table: 'move_undo_count', without: ['move_id'] },
  UpdateCheckRow: { table: 'update_check', without: ['id', 'address'] },
  UserRow: { table: 'user' },
}

/** Tables without a row type: their queries read or write single columns. */
const withoutRow = [
  'announcement',
  'app_token',
  'download_failure',
  'download_request',
  'episode_apart',
  'episode_person',
  'episode_like',
  'favourite',
  'feed_alias',
  'feed_credential',
  'feed_trouble',
  'forgotten_file',
  'kept_episode',
  'ended_sign_in',
  'known_place',
  'listening',
  'loudness',
  'marked_before',
  'media_copy',
  'new_episode',
  'person',
  'playback_hidden',
  'playlist_item',
  'podcast_person',
  'podcast_preference',
  'podcast_tag',
  'queue_arrival',
  'queue_item',
  'read_item',
  'recovery_code',
  'saved_queue_item',
  'server_trouble',
  'sync_clock',
  'sync_list',
  'sync_setting',
  'unsure_twin',
  'user_look',
  'reindexing',
]

/** Rows of a query over several tables. */
const withoutTable = new Set(['CleanupRow', 'ForeignRow'])

type Columns = Record<string, string>

/** Every type that is written as one literal: its properties as SQLite would declare them. */
async function rowTypes(): Promise<Map<string, Columns>> {
  const found = new Map<string, Columns>()
  for await (const file of new Glob('*.ts').scan(store)) {
    const source = (await Bun.file(join(store, file)).text()).replace(/\/\*\*.*?\*\//gs, '')
    for (const [, name, body] of source.matchAll(/^(?:export )?type (\w+) = \{([^{}]*)\}$/gm)) {
      const properties = [...body!.matchAll(/(\w+): ([^;\n]+)/g)]
      found.set(name!, Object.fromEntries(properties.map(([, property, type]) => [property!, declared(type!)])))
    }
  }
  return found
}

function declared(type: string): string {
  const kinds = new Set(type.split('|').map(part => part.trim()))
  const kind = kinds.has('number') ? 'INTEGER' : kinds.has('Uint8Array') ? 'BLOB' : 'TEXT'
  return kinds.has('null') ? kind : `${kind} NOT NULL`
}

function columnsOf(db: Database, table: string): Columns {
  const rows = db
    .query<{ name: string; type: string; isPresent: number }, [string]>(
      'SELECT name, type, "notnull" OR pk OR hidden AS isPresent FROM pragma_table_xinfo(?)',
    )
    .all(table)
  return Object.fromEntries(
    // Seconds of playback and the like are numbers, too.
    rows.map(({ name, type, isPresent }) => [name, type.replace('REAL', 'INTEGER') + (isPresent ? ' NOT NULL' : '')]),
  )
}

const without = (columns: Columns, names: readonly string[] = []): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([name]) => !names.includes(name)))

const db = openDatabase(join(temporaryFolder(), 'castellan.db'))
const types = await rowTypes()

test.each(Object.keys(pairs))('%s has the columns of its table, and may be null where they may', name => {
  const { table, without: left, joined } = pairs[name]!
  expect(without(types.get(name)!, joined)).toEqual(without(columnsOf(db, table), left))
})

test('every row type has a table, and every table a row type or a reason', () => {
  const rows = [...types.keys()].filter(name => /(Row|Columns)$/.test(name) && !withoutTable.has(name))
  expect(rows.filter(name => !(name in pairs))).toEqual([])
  const tables = db
    .query<{ name: string }, []>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'`,
    )
    .all()
    .map(({ name }) => name)
  expect(tables.toSorted()).toEqual([...Object.values(pairs).map(({ table }) => table), ...withoutRow].toSorted())
})
