import type { TFunction } from 'i18next'
import type { DestinationKind, NewsType } from '../../../../shared/api/destination'
import { newsTypes, newsForAdmins } from '../../../../shared/choices'

/** Finds a kind by name. One that the server does not know, after an older version was installed, has its name alone. */
export const kindOf = (kinds: readonly DestinationKind[], name: string): DestinationKind =>
  kinds.find(({ kind }) => kind === name) ?? { kind: name, label: name, icon: [], fields: [] }

export const kindName = (t: TFunction, { kind, label }: DestinationKind) => label ?? t(`destination-${kind}`)

export const KindIcon = ({ kind: { icon } }: { kind: DestinationKind }) => (
  <svg
    viewBox="0 0 24 24"
    width={20}
    height={20}
    fill="none"
    stroke="currentColor"
    strokeWidth={1.75}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {icon.map(outline => (
      <path key={outline} d={outline} />
    ))}
  </svg>
)

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
