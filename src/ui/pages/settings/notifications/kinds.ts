import type { TFunction } from 'i18next'
import { Bell, MessageSquare, Radio, Send, Webhook, type LucideIcon } from 'lucide-react'
import type { DestinationKind, NewsType } from '../../../../shared/api/destination'

/** The kinds of destinations in the order in which they are offered. */
export const kinds: readonly DestinationKind[] = ['push', 'ntfy', 'gotify', 'apprise', 'webhook']

export const kindIcons: Readonly<Record<DestinationKind, LucideIcon>> = {
  push: Bell,
  ntfy: Send,
  gotify: MessageSquare,
  apprise: Radio,
  webhook: Webhook,
}

/** Names of programs, which are the same in every language. */
const programs: Partial<Record<DestinationKind, string>> = { ntfy: 'ntfy', gotify: 'Gotify', apprise: 'Apprise' }

export const kindName = (t: TFunction, kind: DestinationKind) => programs[kind] ?? t(`destination-${kind}`)

/** Types of news in the order in which they are offered. */
const newsTypes: readonly NewsType[] = [
  'newEpisodes',
  'liveStarted',
  'downloadFinished',
  'downloadFailed',
  'feedFailing',
  'signedInElsewhere',
  'accountAttacked',
]
const newsForAdmins: readonly NewsType[] = ['diskFull', 'backupFailed']

export const offeredNews = (isAdmin: boolean) => (isAdmin ? [...newsTypes, ...newsForAdmins] : newsTypes)

/** Types that a new destination wants unless its owner says otherwise. */
export const usualNews: readonly NewsType[] = ['newEpisodes', 'liveStarted', 'signedInElsewhere', 'accountAttacked']

/** A name for this browser: what it calls itself, and its system. */
export function nameOfBrowser(userAgent: string): string {
  const browser = [
    ['Edg/', 'Edge'],
    ['OPR/', 'Opera'],
    ['Firefox/', 'Firefox'],
    ['Chrome/', 'Chrome'],
    ['Safari/', 'Safari'],
  ].find(([mark]) => userAgent.includes(mark!))?.[1]
  const system = /Android|iPhone|iPad|Windows|Macintosh|CrOS|Linux/.exec(userAgent)?.[0].replace('Macintosh', 'Mac')
  return [browser, system].filter(Boolean).join(' · ')
}
