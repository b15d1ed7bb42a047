import { useSignals } from '@preact/signals-react/runtime'
import { Pause } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { tintStyle } from '../../components/cover'
import { IconButton } from '../../components/buttons'
import { ForeignCover } from '../covers'
import { AddInPlace } from './use-adding'

/** Takes the place of the player while a sample is heard: says that it is one, and offers to add its podcast. */
export function SampleBar() {
  useSignals()
  const { t } = useTranslation()
  const sample = useApp().sample.value
  if (!sample) return null
  const { name, hit, stop } = sample
  const { title, image } = hit
  return (
    <section
      className="player ink row tinted"
      style={tintStyle(null, title)}
      id="player"
      tabIndex={-1}
      aria-label={t('player')}
    >
      <div className="player-what shrinks row gap-12 grow">
        <span className="player-cover rigid">
          <ForeignCover src={image} name={title} size={64} />
        </span>
        <div className="player-titles shrinks">
          <b className="player-title block truncate strong" dir="auto">
            {name}
          </b>
          <span className="fine muted block truncate">
            {t('preview')}
            {name !== title && (
              <>
                {' · '}
                <bdi>{title}</bdi>
              </>
            )}
          </span>
        </div>
      </div>
      <AddInPlace key={hit.feedUrl} hit={hit} />
      <IconButton icon={Pause} label={t('pause-episode', { name })} onClick={stop} />
    </section>
  )
}
