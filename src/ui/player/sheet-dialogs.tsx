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
import { SettingGroup } from '../library/forms/setting-row'
import { SkipRows } from '../library/forms/skip-rows'

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

/** Sets the lengths of the two skip buttons, and the rewind after a pause; a choice is saved at once. */
export function SkipLengthsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('skip-lengths')} onClose={onClose}>
      {() => (
        <SettingGroup>
          <SkipRows />
        </SettingGroup>
      )}
    </Dialog>
  )
}
