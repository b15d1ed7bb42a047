import { useSignals } from '@preact/signals-react/runtime'
import { Check, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { DirectoryHit } from '../../api/directory'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/busy-button'
import { routes } from '../../routes'
import { isRefused, useAdding } from './use-adding'
import './adding.css'

/** Adds a podcast that a directory named, and stays where it is; once it is added, a link to it. */
export function AddInPlace({ hit }: { hit: DirectoryHit }) {
  useSignals()
  const { addPodcast, toasts } = useApp()
  const { t } = useTranslation()
  const [podcastId, setPodcastId] = useState(hit.podcastId)
  const adding = useAdding({ isInPlace: true, onAdded: podcast => setPodcastId(podcast.id) })
  const { failure, reason } = adding
  useEffect(() => {
    // There it can be tried under another name.
    if (isRefused(failure)) addPodcast.open(hit.feedUrl)
    else if (reason !== null) toasts.failed(reason)
  }, [addPodcast, failure, hit.feedUrl, reason, toasts])

  if (podcastId !== null)
    return (
      <Link
        className="secondary small with-icon add-in-place is-added"
        href={routes.episodes(podcastId)}
        aria-label={t('added-named', { name: hit.title })}
      >
        <Check size={16} aria-hidden="true" />
        <span>{t('added')}</span>
      </Link>
    )
  return (
    <BusyButton
      className="secondary small with-icon add-in-place"
      isBusy={adding.isBusy}
      aria-label={t('add-named', { name: hit.title })}
      onClick={() => adding.run(hit.feedUrl)}
    >
      {!adding.isBusy && <Plus size={16} aria-hidden="true" />}
      <span>{t('add')}</span>
    </BusyButton>
  )
}
