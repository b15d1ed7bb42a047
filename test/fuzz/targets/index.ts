import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as seeds from '../seeds'
import type { Target } from '../target'
import { api } from './api'
import { apps } from './apps'
import { configuration } from './configuration'
import { cuts } from './cuts'
import { documents } from './documents'
import { feeds } from './feeds'
import { growth } from './growth'
import { identity } from './identity'
import { media } from './media'
import { moves } from './moves'
import { names } from './names'
import { notes } from './notes'
import { opml } from './opml'
import { ranges } from './ranges'
import { sync } from './sync'
import { chapters, transcripts } from './texts'
import { writtenTags } from './written-tags'

/** Made when their turn comes. `folder`: feeds to begin with beside our own; null = none. */
export const targets: Record<string, (folder: string | null) => Target | Promise<Target>> = {
  feeds: folder => feeds([...seeds.feeds, ...filesOf(folder)]),
  identity,
  notes: () => notes(seeds.notes),
  transcripts: () => transcripts,
  chapters: () => chapters,
  documents: () => documents,
  opml: () => opml,
  moves,
  names,
  ranges: () => ranges,
  configuration: () => configuration,
  sync,
  api,
  apps,
  'written-tags': writtenTags,
  cuts: () => cuts,
  media,
  growth: () => growth,
}

const MAX_SEED = 100_000

const filesOf = (folder: string | null): string[] =>
  folder === null
    ? []
    : readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile() && /\.(xml|rss|rdf|atom|json)$/.test(entry.name))
        .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
        .filter(text => text.length <= MAX_SEED)
