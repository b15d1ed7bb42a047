import { useSignals } from '@preact/signals-react/runtime'
import type { TFunction } from 'i18next'
import { CircleCheck, Info, ListTree, LoaderCircle, LockKeyhole, TriangleAlert, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../i18n'
import { Link } from 'wouter'
import { routes } from '../../routes'
import type { AddressLook, Looked } from '../../state/address-look'
import { reasonOf } from './use-adding'
import './adding.css'

type Line = { icon: LucideIcon; tone: 'good' | 'plain' | 'bad'; text: string; podcastId?: string }

/** One line that says what is at the typed address. */
export function AddressStatus({ look, failure, help }: { look: AddressLook; failure: string | null; help: string }) {
  useSignals()
  const { t } = useTranslation()
  const line = lineOf(look, failure, t)
  if (!line)
    return (
      <p className="address-status row gap-6 muted" id="address-status">
        {help}
      </p>
    )
  const { icon: Icon, tone, text, podcastId } = line
  return (
    <p
      className={`address-status row gap-6 muted is-${tone}`}
      id="address-status"
      role={tone === 'bad' ? 'alert' : 'status'}
    >
      <Icon size={16} aria-hidden="true" />
      <span>{text}</span>
      {podcastId !== undefined && <Link href={routes.episodes(podcastId)}>{t('open')}</Link>}
    </p>
  )
}

function lineOf({ looked, error, isBusy }: AddressLook, failure: string | null, t: TFunction): Line | null {
  if (failure !== null) return { icon: TriangleAlert, tone: 'bad', text: failure }
  if (isBusy.value) return { icon: LoaderCircle, tone: 'plain', text: t('looking') }
  if (error.value !== null) return { icon: TriangleAlert, tone: 'bad', text: reasonOf(error.value) }
  return looked.value && lineOfLooked(looked.value, t)
}

function lineOfLooked({ seen, seconds }: Looked, t: TFunction): Line {
  if (seen.kind === 'feed' && seen.isUnplayable) return { icon: TriangleAlert, tone: 'bad', text: t('seen-unplayable') }
  if (seen.kind === 'feed')
    return { icon: CircleCheck, tone: 'good', text: t('seen-feed', { time: formatSeconds(seconds) }) }
  if (seen.kind === 'choice')
    return { icon: ListTree, tone: 'plain', text: t('seen-page', { count: seen.feeds.length }) }
  if (seen.kind === 'opml') return { icon: ListTree, tone: 'plain', text: t('seen-opml') }
  if (seen.kind === 'known')
    return { icon: Info, tone: 'plain', text: t('seen-known', { name: seen.name }), podcastId: seen.podcastId }
  return {
    icon: LockKeyhole,
    tone: seen.isRefused ? 'bad' : 'plain',
    text: t(seen.isRefused ? 'sign-in-refused' : 'seen-closed'),
  }
}

const formatSeconds = (seconds: number) =>
  new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit: 'second', maximumFractionDigits: 1 }).format(
    Math.max(0.1, seconds),
  )
