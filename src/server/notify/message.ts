import type { TFunction } from 'i18next'
import type { EpisodeFacts, FeedFacts, Announcement } from './news'

/** A message for people; `path` is a page of the interface, below `ui/`. */
export type Message = { title: string; text: string; path: string }

/** The number of episodes and podcasts that a message names in its text. */
const MAX_LISTED = 5

const noticeOf = {
  newEpisodes: 'notice-NewEpisodes',
  downloadFinished: 'notice-Download',
  downloadFailed: 'notice-DownloadFailed',
} as const

/** Writes news as a message in the language of `t`. */
export function writeMessage(t: TFunction, { type, facts }: Announcement): Message {
  switch (type) {
    case 'newEpisodes':
    case 'downloadFinished':
    case 'downloadFailed':
      return aboutEpisodes(t, noticeOf[type], facts)
    case 'liveStarted':
      return {
        title: facts.podcastTitle,
        text: [t('live-now'), facts.title].filter(Boolean).join(': '),
        path: `podcasts/${facts.podcastId}/episodes`,
      }
    case 'feedFailing':
      return aboutFeeds(t, facts)
    case 'signedInElsewhere':
      return {
        title: t('news-signedInElsewhere'),
        text: t('news-signedInElsewhere-text', { place: [facts.device, facts.address].filter(Boolean).join(', ') }),
        path: 'profile',
      }
    case 'accountAttacked':
      return {
        title: t('news-accountAttacked', { name: facts.username }),
        text: t('news-accountAttacked-text'),
        path: 'profile',
      }
    case 'diskFull':
      return { title: t('news-diskFull'), text: t('news-diskFull-text'), path: 'info' }
    case 'backupFailed':
      return { title: t('news-backupFailed'), text: facts.reason, path: 'settings/backups' }
    case 'test':
      return { title: t('news-test'), text: t('news-test-text'), path: 'settings/notifications' }
  }
}

function aboutEpisodes(t: TFunction, key: string, facts: EpisodeFacts): Message {
  const { episodeCount: count, podcastCount, podcasts, episodes } = facts
  const [podcast] = podcasts
  const [newest] = episodes
  const headline = t(key, { count })
  if (podcastCount > 1 || !podcast || !newest)
    return { title: headline, text: list(t, podcasts.map(titleAndCount), podcastCount), path: 'timeline' }
  const titles = list(
    t,
    episodes.map(({ title }) => title),
    count,
  )
  const path = `podcasts/${podcast.id}/episodes${count === 1 ? `/${newest.id}` : ''}`
  return { title: podcast.title, text: `${headline}${count === 1 ? ': ' : '\n'}${titles}`, path }
}

function aboutFeeds(t: TFunction, { feedCount: count, feeds }: FeedFacts): Message {
  const [feed] = feeds
  const title = t('news-feedFailing', { count })
  if (count === 1 && feed)
    return { title, text: `${feed.title}: ${feed.reason}`, path: `podcasts/${feed.podcastId}/episodes` }
  const titles = feeds.map(({ title }) => title)
  return { title, text: list(t, titles, count), path: 'podcasts' }
}

const titleAndCount = ({ title, episodeCount }: { title: string; episodeCount: number }) =>
  episodeCount > 1 ? `${title} (${episodeCount})` : title

/** The first of the lines, one below the other, and how many more there are. */
function list(t: TFunction, lines: readonly string[], total: number): string {
  const shown = lines.slice(0, MAX_LISTED)
  const more = total - shown.length
  return [...shown, ...(more > 0 ? [t('news-more', { count: more })] : [])].join('\n')
}
