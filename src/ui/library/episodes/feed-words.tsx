import { useTranslation } from 'react-i18next'
import type { CommonTags, License } from '../../../shared/api/podcast-tags'

/** Proofs of ownership, and other texts for machines. */
const forMachines = new Set(['verify', 'applepodcastsverify'])

/** The texts of a publisher that have no separate place. */
export const wordsIn = ({ txt = [] }: Pick<CommonTags, 'txt'>) =>
  txt.filter(({ purpose }) => !forMachines.has(purpose?.toLowerCase() ?? ''))

/** A licence by its name, with a link to its words: those of SPDX are known to a public list. */
export function LicenseName({ license: { name, url } }: { license: License }) {
  const isKnown = /^[\w.-]{3,60}$/.test(name)
  const href = url ?? (isKnown ? `https://spdx.org/licenses/${spdxName(name)}` : null)
  const text = name || URL.parse(url ?? '')?.hostname
  if (!href) return <span dir="auto">{text}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" dir="auto">
      {text}
    </a>
  )
}

/** The namespace writes identifiers in lower case, and SPDX `CC-BY-4.0`. */
const spdxName = (name: string) => (/^cc/i.test(name) ? name.toUpperCase() : name)

/** The licence and texts of an episode. */
export function FeedWords({ license, txt }: Pick<CommonTags, 'license' | 'txt'>) {
  const { t } = useTranslation()
  return (
    <>
      {license && (
        <p className="muted">
          {t('license')}: <LicenseName license={license} />
        </p>
      )}
      {wordsIn({ ...(txt && { txt }) }).map(({ purpose, text }) => (
        <p key={`${purpose} ${text}`} className="muted" dir="auto">
          {purpose ? `${purpose}: ${text}` : text}
        </p>
      ))}
    </>
  )
}
