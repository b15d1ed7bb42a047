import { useTranslation } from 'react-i18next'
import { translate } from '../../i18n'
import { useLocation } from 'wouter'
import type { Adding } from '../../api'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { useAction } from '../../components/use-action'
import { describeFailure } from '../../failure'
import type { Podcast } from '../../../shared/api/podcast'
import { routes } from '../../routes'

class MissingAddress extends Error {}

/**
 * An action that adds the podcast at an address. `onAdded` runs after it, then the podcast's page opens unless it is to be added in place.
 */
export function useAdding({
  isInPlace = false,
  onAdded,
}: { isInPlace?: boolean; onAdded?: (podcast: Podcast) => void } = {}) {
  const { library, toasts } = useApp()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const { failure, ...adding } = useAction(async (wanted: string, options: Adding = {}) => {
    if (wanted === '') throw new MissingAddress()
    const podcast = await library.add(wanted, options)
    toasts.done(t(podcast.episode_count === 0 ? 'podcast-added-empty' : 'podcast-added', { name: podcast.name }))
    onAdded?.(podcast)
    if (!isInPlace) navigate(routes.episodes(podcast.id))
  })
  return {
    ...adding,
    failure,
    reason: failure === null ? null : reasonOf(failure),
  }
}

const isCode = (failure: unknown, code: string) => failure instanceof ApiError && failure.code === code

/** Whether a host refused Castellan by its name, so that a browser's may help. */
export const isRefused = (failure: unknown) => isCode(failure, 'feed-refused')

/** Says why an address cannot be added, and what to do. */
export function reasonOf(failure: unknown): string {
  const isInvalid = failure instanceof MissingAddress || isCode(failure, 'invalid-field')
  return isInvalid ? translate('feed-address-invalid') : describeFailure(failure)
}
