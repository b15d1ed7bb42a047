import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Podcast } from '../../../shared/api/podcast'
import type { PodcastSettings } from '../../../shared/api/settings'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import { FormDialog, ShownAtField, useFailureNotice } from '../../library/forms/form-dialog'
import { useResource } from '../../use-resource'
import {
  CleanupFields,
  DownloadFields,
  editOf,
  FeedFields,
  type Fields,
  fieldsOf,
  ModeFields,
  TranscriptFields,
} from './podcast-settings-fields'
import './dialogs.css'

type Props = { podcast: Podcast; onClose: () => void }

/** The settings of one podcast that differ from those of the whole library. */
export function PodcastSettingsDialog({ podcast, onClose }: Props) {
  const { api } = useApp()
  const { data, error } = useResource((_, id: string) => api.podcasts.settings(id), [podcast.id])
  useFailureNotice(error, onClose)
  return data && <SettingsForm podcast={podcast} settings={data} onClose={onClose} />
}

function SettingsForm({ podcast, settings, onClose }: Props & { settings: PodcastSettings }) {
  const { api, library, session, toasts } = useApp()
  const { t } = useTranslation()
  const [fields, setFields] = useState(() => fieldsOf(podcast, settings))
  const [feedFailure, setFeedFailure] = useState<string | null>(null)
  const change = (edit: Partial<Fields>) => setFields({ ...fields, ...edit })

  /** Changes the address first: its host may refuse, and then nothing else is saved. */
  async function changeFeed() {
    setFeedFailure(null)
    if (fields.feed.trim() === podcast.rssfeed) return
    try {
      await api.podcasts.changeFeed(podcast.id, fields.feed)
    } catch (error) {
      setFeedFailure(describeFailure(error))
      throw new ShownAtField()
    }
  }
  async function save() {
    await changeFeed()
    await api.podcasts.editSettings(podcast.id, editOf(fields))
    await library.load()
    toasts.done(t('settings-saved'))
  }
  return (
    <FormDialog
      title={t('podcast-settings-of', { name: podcast.name })}
      action={t('save')}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="podcast-settings stack spaced">
        <ModeFields fields={fields} onChange={change} />
        {fields.autoCleanupMode === 'on' && <CleanupFields fields={fields} onChange={change} />}
        {fields.autoDownloadMode !== 'off' && <DownloadFields fields={fields} onChange={change} />}
        {session.config.peek()?.transcriptionEnabled && <TranscriptFields fields={fields} onChange={change} />}
        <FeedFields
          fields={fields}
          hasFeed={podcast.rssfeed !== ''}
          hasPassword={podcast.has_credentials}
          addressFailure={feedFailure}
          onChange={change}
        />
      </div>
    </FormDialog>
  )
}
