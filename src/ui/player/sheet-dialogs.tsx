import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../shared/duration'
import { useApp } from '../app-context'
import { Dialog } from '../components/dialog'
import { SegmentedChoice } from '../components/segments'
import { passageBefore } from '../playback/passage'
import { SharePassage } from './share-passage'
import { ShareTexts } from './share-texts'
import type { Playing } from '../playback/state'
import './panels.css'
import type { SkipLengths } from '../../shared/api/user'
import { nextKeys } from '../../shared/choices'
import { skipSeconds } from '../../shared/limits'
import { Check, SelectField } from '../components/fields'

type Props = { playing: Playing; onClose: () => void }

/** Shares a moment of an episode as a link, or a passage of it as link, text and clip. */
export function ShareDialog({ playing: now, onClose }: Props) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const [kind, setKind] = useState<'moment' | 'passage'>('moment')
  // It continues to play, perhaps with another episode: the dialog keeps sharing the episode with which it was opened.
  const [{ playing, moment }] = useState(() => ({ playing: now, moment: player.position.peek() }))
  return (
    <Dialog title={t('share')} onClose={onClose}>
      {() => (
        <div className="share">
          <SegmentedChoice
            label={t('share')}
            choices={[
              { value: 'moment', label: t('share-one-moment') },
              { value: 'passage', label: t('share-passage') },
            ]}
            value={kind}
            onChange={setKind}
          />
          {kind === 'moment' ? (
            <>
              <p className="breaks" dir="auto">
                {playing.episode.name} · <time className="numbers">{formatDuration(moment)}</time>
              </p>
              <ShareTexts playing={playing} passage={{ start: moment, end: moment }} quote="" />
            </>
          ) : (
            <SharePassage playing={playing} initial={passageBefore(moment)} />
          )}
        </div>
      )}
    </Dialog>
  )
}

const options = skipSeconds.map(String)

/** Sets the lengths of the two skip buttons, and the rewind after a pause; a choice is saved at once. */
export function SkipLengthsDialog({ onClose }: { onClose: () => void }) {
  useSignals()
  const { skipLengths, failed } = useApp()
  const { t } = useTranslation()
  const lengths = skipLengths.lengths.value
  const set = (edit: Partial<SkipLengths>) => void skipLengths.set({ ...lengths, ...edit }).catch(failed)
  const fieldOf = (way: 'back' | 'forward') => (
    <SelectField
      label={t(`skip-length-${way}`)}
      value={String(lengths[way])}
      options={options}
      textOf={seconds => t('seconds', { count: Number(seconds) })}
      onChange={seconds => set({ [way]: Number(seconds) })}
    />
  )
  return (
    <Dialog title={t('skip-lengths')} onClose={onClose}>
      {() => (
        <>
          {fieldOf('back')}
          {fieldOf('forward')}
          <SelectField
            label={t('next-key')}
            help={t('next-key-help')}
            value={lengths.nextKey ?? 'episode'}
            options={nextKeys}
            textOf={action =>
              action === 'forward' ? t('skip-forward', { seconds: lengths.forward }) : t('next-key-episode')
            }
            onChange={nextKey => set({ nextKey })}
          />
          <Check isOn={lengths.rewind ?? true} onChange={rewind => set({ rewind })}>
            {t('rewind-after-pause')}
          </Check>
        </>
      )}
    </Dialog>
  )
}
