import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Clip } from '../../shared/api/clip'
import { CLIP_DAYS, MAX_CLIP_DAYS } from '../../shared/limits'
import { useApp } from '../app-context'
import { BusyButton } from '../components/busy-button'
import { KeyField } from '../components/key-field'
import { SelectField, TextField } from '../components/fields'
import { onSubmit, useAction } from '../components/use-action'
import { formatDay } from '../format'
import { useCopyKey } from '../library/forms/copy'
import { useAdministrationApi } from '../use-administration'
import type { Passage } from '../playback/passage'
import type { Playing } from '../playback/state'

type Props = { playing: Playing; passage: Passage; quote: string }

const inDays = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
const days = [1, 7, CLIP_DAYS, 90, MAX_CLIP_DAYS].map(String)

/** Publishes a page with a passage for everybody who has its address, and shows the address. */
export function PublicClip({ playing, passage, quote }: Props) {
  const { failed } = useApp()
  const { clips } = useAdministrationApi()
  const { t } = useTranslation()
  const copy = useCopyKey()
  const { episode } = playing
  const [title, setTitle] = useState(episode.name.slice(0, 200))
  const [length, setLength] = useState(String(CLIP_DAYS))
  const [made, setMade] = useState<(Clip & { of: Passage }) | null>(null)
  const making = useAction(async () => {
    const clip = await clips.share({ episode: episode.id, ...passage, title, quote, days: Number(length) })
    setMade({ ...clip, of: passage })
  }, failed)
  const current = made?.of === passage ? made : null
  return (
    <details className="share-public fold">
      <summary className="row gap-8 spread">
        {t('public-clip')}
        <ChevronDown size={18} aria-hidden="true" />
      </summary>
      <p className="muted">{t('public-clip-text')}</p>
      {current ? (
        <KeyField
          label={t('public-clip-address')}
          help={t('public-clip-until', { date: formatDay(current.endsAt) })}
          value={current.url}
          onCopy={() => void copy(current.url)}
        >
          {null}
        </KeyField>
      ) : (
        <form onSubmit={onSubmit(() => making.run())}>
          <TextField label={t('public-clip-title')} value={title} onChange={setTitle} maxLength={200} required />
          <SelectField
            label={t('public-clip-ends')}
            value={length}
            options={days}
            textOf={count => formatDay(inDays(Number(count)))}
            onChange={setLength}
          />
          <BusyButton type="submit" className="wide" isBusy={making.isBusy} disabled={title.trim() === ''}>
            {t('public-clip-make')}
          </BusyButton>
        </form>
      )}
    </details>
  )
}
