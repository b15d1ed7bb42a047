import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KnownPodcast } from '../../../shared/api/podcast'
import type { Preferences } from '../../../shared/api/settings'
import { useApp } from '../../app-context'
import { SelectField } from '../../components/fields'
import { FormDialog, useFailureNotice } from '../../library/forms/form-dialog'
import { SettingGroup, SettingSwitch } from '../../library/forms/setting-row'
import { useResource } from '../../use-resource'

type Props = { podcast: KnownPodcast; onClose: () => void }

const bells = ['', 'on', 'off'] as const
const words = { '': 'notify-usual', on: 'notify-on', off: 'notify-off' } as const

/** Whether a user is notified of a podcast, and whether their timeline lists its episodes. */
export function NewsDialog({ podcast, onClose }: Props) {
  const { api } = useApp()
  const { data, error } = useResource((_, id: string) => api.podcasts.preferences(id), [podcast.id])
  useFailureNotice(error, onClose)
  return data && <NewsForm podcast={podcast} saved={data} onClose={onClose} />
}

function NewsForm({ podcast, saved, onClose }: Props & { saved: Preferences }) {
  const { api, toasts } = useApp()
  const { t } = useTranslation()
  const [{ notify, inTimeline }, setNews] = useState(saved)
  async function save() {
    await api.podcasts.editPreferences(podcast.id, { notify, inTimeline })
    toasts.done(t('settings-saved'))
  }
  return (
    <FormDialog title={t('news-of', { name: podcast.name })} action={t('save')} onSubmit={save} onClose={onClose}>
      <SelectField
        label={t('notify-new')}
        help={t('notify-new-help')}
        value={notify === null ? '' : notify ? 'on' : 'off'}
        options={bells}
        textOf={bell => t(words[bell])}
        onChange={bell => setNews({ ...saved, inTimeline, notify: bell === '' ? null : bell === 'on' })}
      />
      <SettingGroup>
        <SettingSwitch
          label={t('in-timeline')}
          help={t('in-timeline-help')}
          isOn={inTimeline}
          onChange={isOn => setNews({ ...saved, notify, inTimeline: isOn })}
        />
      </SettingGroup>
    </FormDialog>
  )
}
