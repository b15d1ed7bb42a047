import { Check, Minus } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { MoveSource } from '../../../../shared/api/move'
import { Cover } from '../../../components/cover'

const kinds = ['subscriptions', 'positions', 'queue', 'likes'] as const
type Kind = (typeof kinds)[number]

const all: readonly Kind[] = kinds
const withoutQueue: readonly Kind[] = ['subscriptions', 'positions', 'likes']
const onlySubscriptions: readonly Kind[] = ['subscriptions']

/** The things that are read from the file of each program. */
export const broughtBy: Readonly<Record<string, readonly Kind[]>> = {
  podfetch: all,
  pinepods: all,
  audiobookshelf: ['subscriptions', 'positions'],
  podgrab: withoutQueue,
  antennapod: all,
  'podcast-addict': withoutQueue,
  'pocket-casts': all,
  'apple-podcasts': withoutQueue,
  gpodder: withoutQueue,
  kasts: all,
  castget: onlySubscriptions,
  portcast: all,
  opml: onlySubscriptions,
}

type Props = { sources: readonly MoveSource[]; onChoose: () => void }

/** Every program that people can move from: where its file is, and what is read from it. */
export function MoveSources({ sources, onChoose }: Props) {
  return (
    <ul className="move-tiles stack gap-12 spaced">
      {sources.map(source => (
        <li key={source.name}>
          <SourceTile source={source} onChoose={onChoose} />
        </li>
      ))}
    </ul>
  )
}

function SourceTile({ source: { name, title }, onChoose }: { source: MoveSource; onChoose: () => void }) {
  const { t } = useTranslation()
  const id = useId()
  const brought = broughtBy[name] ?? onlySubscriptions
  const missing = kinds.filter(kind => !brought.includes(kind)).map(kind => t(`move-brings.${kind}`))
  return (
    <div className="move-tile card relative gap-12">
      <span className="move-tile-head gap-12 stack">
        <Cover src="" name={title} size={64} isMissing />
        <span className="stack gap-2 shrinks">
          <button
            type="button"
            className="plain start ink title whole"
            aria-describedby={`${id}-where ${id}-missing`}
            onClick={onChoose}
          >
            {title}
          </button>
          <span className="fine faint breaks regular" id={`${id}-where`}>
            {t(`move-where.${name}`)}
          </span>
        </span>
      </span>
      <span className="wrap gap-6" aria-hidden="true">
        {kinds.map(kind => (
          <span
            key={kind}
            className={`move-chip with-icon text-s ${brought.includes(kind) ? 'shaded strong' : 'faint regular'}`}
          >
            {brought.includes(kind) ? <Check className="positive" size={14} /> : <Minus size={14} />}
            {t(`move-brings.${kind}`)}
          </span>
        ))}
      </span>
      <span className="visually-hidden" id={`${id}-missing`}>
        {missing.length > 0 && t('move-not-included', { kinds: missing.join(', ') })}
      </span>
    </div>
  )
}

const steps = ['choose', 'look', 'import'] as const

/** The three steps of an import, the current one marked. */
export function MoveSteps({ current }: { current: (typeof steps)[number] }) {
  const { t } = useTranslation()
  return (
    <ol className="move-steps row gap-12 text-s strong spaced">
      {steps.map((step, index) => (
        <li key={step} className="row gap-8" aria-current={step === current ? 'step' : undefined}>
          <span className="disc numbers" aria-hidden="true">
            {index + 1}
          </span>
          {t(`move-step.${step}`)}
        </li>
      ))}
    </ol>
  )
}
