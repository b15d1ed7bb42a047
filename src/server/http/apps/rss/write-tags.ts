import type { EpisodeExtras } from '../../../../shared/api/episode'
import type { PodcastExtras } from '../../../../shared/api/podcast'
import type { CommonTags, Person, RemoteItem, Value, ValueRecipient } from '../../../../shared/api/podcast-tags'
import { tag } from './write-xml'

// The tags of the podcast namespace that a publisher's feed has, for a private feed of it.

type Tags = CommonTags & { persons?: readonly Person[] }

/** Writes what a channel says of itself. Nobody is allowed to list a private feed, whatever the publisher allows. */
export function writeChannelTags(extras: Partial<PodcastExtras>, medium: string | null): string {
  const { funding = [], podroll = [], publisher, updateFrequency, locked, block = [] } = extras
  return lines([
    medium ? tag('podcast:medium', {}, medium) : '',
    writeBlocks(block),
    tag('podcast:locked', { owner: locked?.owner }, (locked?.locked ?? true) ? 'yes' : 'no'),
    ...funding.map(({ url, text }) => tag('podcast:funding', { url }, text)),
    ...writeCommonTags(extras),
    podroll.length > 0 ? tag('podcast:podroll', {}, podroll.map(writeRemoteItem)) : '',
    publisher ? tag('podcast:publisher', {}, [writeRemoteItem(publisher)]) : '',
    updateFrequency ? writeUpdateFrequency(updateFrequency) : '',
  ])
}

/** Writes what an item says of itself, its season and number included. */
export function writeItemTags(
  extras: Partial<EpisodeExtras>,
  { season, number }: { season: number | null; number: number | null },
): string {
  const { soundbites = [], seasonName, episodeDisplay } = extras
  return lines([
    season === null ? '' : tag('podcast:season', { name: seasonName }, String(season)),
    number === null ? '' : tag('podcast:episode', { display: episodeDisplay }, String(number)),
    ...soundbites.map(({ title, ...times }) => tag('podcast:soundbite', times, title)),
    ...writeCommonTags(extras),
  ])
}

const lines = (written: readonly string[]) => written.filter(Boolean).join('\n')

/** Asks all services, and again by name those that the publisher names: some read only their own. */
const writeBlocks = (blocks: NonNullable<PodcastExtras['block']>) =>
  lines([
    tag('podcast:block', {}, 'yes'),
    ...blocks.flatMap(({ id, block }) => (id && block ? [tag('podcast:block', { id }, 'yes')] : [])),
  ])

const writeUpdateFrequency = ({ text, ...attributes }: NonNullable<PodcastExtras['updateFrequency']>) =>
  tag('podcast:updateFrequency', attributes, text)

function writeCommonTags(tags: Tags): string[] {
  const { persons = [], locations = [], value, social = [], license, txt = [], chat = [], contentLinks = [] } = tags
  return [
    ...persons.map(({ name, ...attributes }) => tag('podcast:person', attributes, name)),
    ...locations.map(({ name, ...attributes }) => tag('podcast:location', attributes, name)),
    ...social.map((place, index) => tag('podcast:socialInteract', { ...place, priority: index + 1 })),
    license ? tag('podcast:license', { url: license.url }, license.name) : '',
    ...txt.map(({ purpose, text }) => tag('podcast:txt', { purpose }, text)),
    ...chat.map(room => tag('podcast:chat', room)),
    ...contentLinks.map(({ href, text }) => tag('podcast:contentLink', { href }, text)),
    value ? writeValue(value) : '',
  ]
}

const writeRemoteItem = (item: RemoteItem) => tag('podcast:remoteItem', item)
const writeRecipient = (recipient: ValueRecipient) => tag('podcast:valueRecipient', recipient)

const writeValue = ({ recipients, timeSplits = [], ...attributes }: Value) =>
  tag('podcast:value', attributes, [
    ...recipients.map(writeRecipient),
    ...timeSplits.map(({ recipients: others, remoteItem, ...times }) =>
      tag('podcast:valueTimeSplit', times, [
        ...(remoteItem ? [writeRemoteItem(remoteItem)] : []),
        ...others.map(writeRecipient),
      ]),
    ),
  ])
