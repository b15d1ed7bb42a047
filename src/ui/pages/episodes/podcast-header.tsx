import { useSignals } from '@preact/signals-react/runtime'
import {
  CirclePause,
  CirclePlay,
  Ellipsis,
  ExternalLink,
  Gauge,
  HandCoins,
  Heart,
  RefreshCw,
  Rss,
  Settings2,
  Tags as TagsIcon,
  Trash2,
  TriangleAlert,
} from 'lucide-react'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Podcast, PodcastExtras } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { copyText } from '../../device/clipboard'
import { Cover } from '../../components/cover'
import { IconButton } from '../../components/icon-button'
import { Menu, type MenuItem } from '../../components/menu'
import { useTitle } from '../../components/page-header'
import { formatRelative } from '../../format'
import { TagDot } from '../../components/tag-dot'
import { routes } from '../../routes'
import { DeletePodcastDialog, PodcastSettingsDialog, PreferencesDialog, TagsDialog } from './dialogs'

export function PodcastHeader({ podcast, extras }: { podcast: Podcast; extras: PodcastExtras | null }) {
  useSignals()
  const { library, session, toasts, failed } = useApp()
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<'tags' | 'preferences' | 'settings' | 'deletion' | null>(null)
  const close = useCallback(() => setDialog(null), [])
  const isRefreshing = library.refreshing.value.has(podcast.id)
  useTitle(podcast.name)

  const links: MenuItem[] = [
    ...(podcast.link ? [{ icon: ExternalLink, label: t('open-web-page'), href: podcast.link }] : []),
    ...(extras?.funding ?? []).map(({ url, text }) => ({
      icon: HandCoins,
      label: text || t('support-podcast'),
      href: url,
    })),
  ]
  const upkeep: MenuItem[] = [
    { icon: Settings2, label: t('podcast-settings'), onSelect: () => setDialog('settings') },
    {
      icon: podcast.active ? CirclePause : CirclePlay,
      label: podcast.active ? t('stop-updates') : t('resume-updates'),
      onSelect: () => void library.setActive(podcast.id, !podcast.active).catch(failed),
    },
    { icon: Trash2, label: t('delete-podcast'), isDanger: true, onSelect: () => setDialog('deletion') },
  ]
  async function copyFeed() {
    if (await copyText(podcast.podfetch_feed)) toasts.done(t('feed-address-copied'))
    else toasts.failed(t('link-not-copied', { link: podcast.podfetch_feed }))
  }
  const own: MenuItem[] = [
    { icon: TagsIcon, label: t('edit-tags'), onSelect: () => setDialog('tags') },
    { icon: Gauge, label: t('preferences'), onSelect: () => setDialog('preferences') },
    { icon: Rss, label: t('copy-feed-address'), onSelect: () => void copyFeed() },
  ]
  const items = [...own, ...links, ...(session.mayUpload.value ? upkeep : [])]

  return (
    <header className="podcast-header">
      <Cover
        src={podcast.image_url}
        name={podcast.name}
        size={256}
        isMissing={podcast.original_image_url === ''}
        eager
      />
      <div className="podcast-about">
        <h1>{podcast.name}</h1>
        {podcast.author && <p className="podcast-author">{podcast.author}</p>}
        <Summary html={podcast.summary ?? ''} />
        {podcast.tags.length > 0 && (
          <p className="podcast-tags">
            {podcast.tags.map(tag => (
              <Link key={tag.id} href={`${routes.podcasts}?tag=${tag.id}`}>
                <TagDot color={tag.color} /> {tag.name}
              </Link>
            ))}
          </p>
        )}
        <FeedState podcast={podcast} />
        <div className="podcast-actions">
          {session.mayUpload.value && (
            <IconButton
              icon={RefreshCw}
              label={isRefreshing ? t('refreshing') : t('refresh')}
              className={isRefreshing ? 'is-turning' : ''}
              disabled={isRefreshing}
              onClick={() => void library.refresh(podcast.id).catch(failed)}
            />
          )}
          <IconButton
            icon={Heart}
            label={podcast.favorites ? t('unfavour', { name: podcast.name }) : t('favour', { name: podcast.name })}
            aria-pressed={podcast.favorites}
            className="podcast-favourite"
            onClick={() => void library.favour(podcast.id, !podcast.favorites).catch(failed)}
          />
          {items.length > 0 && <Menu icon={Ellipsis} label={t('more-of', { name: podcast.name })} items={items} />}
        </div>
      </div>
      {dialog === 'tags' && <TagsDialog podcast={podcast} onClose={close} />}
      {dialog === 'preferences' && <PreferencesDialog podcast={podcast} onClose={close} />}
      {dialog === 'settings' && <PodcastSettingsDialog podcast={podcast} onClose={close} />}
      {dialog === 'deletion' && <DeletePodcastDialog podcast={podcast} onClose={close} />}
    </header>
  )
}

/** The server has made it safe. */
function Summary({ html }: { html: string }) {
  const { t } = useTranslation()
  const [isWhole, setWhole] = useState(false)
  if (html === '') return null
  return (
    <div className="podcast-summary">
      <div className={isWhole ? '' : 'is-clamped'} dangerouslySetInnerHTML={{ __html: html }} />
      {html.length > 280 && (
        <button type="button" className="link-button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('show-less') : t('show-more')}
        </button>
      )}
    </div>
  )
}

function FeedState({ podcast }: { podcast: Podcast }) {
  const { t } = useTranslation()
  const { last_error, last_checked_at, next_check_at, feed_state } = podcast
  const { episode_count, feed_items, feed_unplayable } = podcast
  const isUnplayable = episode_count > 0 && feed_items > 0 && feed_unplayable === feed_items
  if (feed_state === 'inactive') return <p className="muted">{t('feed-inactive')}</p>
  if (last_error)
    return (
      <p className="podcast-failing muted">
        <TriangleAlert size={14} aria-hidden="true" />{' '}
        {t(`feed-error.${last_error.errorCode}`, { defaultValue: last_error.message })}{' '}
        {last_checked_at && `${t('checked', { when: formatRelative(last_checked_at) })} · `}
        {feed_state === 'gone'
          ? t('feed-gone-hint')
          : next_check_at && t('next-try', { when: formatRelative(next_check_at) })}
      </p>
    )
  return (
    <p className="muted">
      {last_checked_at && t('checked', { when: formatRelative(last_checked_at) })}
      {next_check_at && ` · ${t('next-check', { when: formatRelative(next_check_at) })}`}
      {podcast.has_warnings && ` · ${t('feed-warnings')}`}
      {isUnplayable && ` · ${t('feed-nothing-playable', { count: feed_items })}`}
    </p>
  )
}
