import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '../../../shared/api/settings'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import { createInstantEdits } from '../../state/instant-edits'

/** A reason in words. `field`: the setting at fault; '' if there is none. */
export type SettingFailure = { field: string; reason: string }

/** Finds the setting that an error is about. Null = no failure. */
export function settingFailure(error: unknown): SettingFailure | null {
  if (error === null) return null
  return { field: error instanceof ApiError ? (error.args['field'] ?? '') : '', reason: describeFailure(error) }
}

/** The settings of the server, each saved as soon as it is changed. A refused value stays, with the reason. */
export function useInstantSettings(
  settings: Settings,
  onStored: (settings: Settings, edit: Partial<Settings>) => void,
) {
  useSignals()
  const { api, toasts } = useApp()
  const { t } = useTranslation()
  const [edits] = useState(() =>
    createInstantEdits<Settings>(settings, {
      save: api.system.editSettings,
      onSaved(saved, edit) {
        onStored(saved, edit)
        toasts.done(t('settings-saved'))
      },
    }),
  )
  const refused = edits.refused.value
  const failure = refused && settingFailure(refused.error)
  return {
    values: edits.values.value,
    change: edits.change,
    retry: edits.retry,
    /** Why this setting was refused, as props of its row; a setting that was sent along with it is not at fault. */
    failureOf: (name: keyof Settings) =>
      refused && failure && name in refused.edit && (failure.field === '' || failure.field === name)
        ? { failure: failure.reason, onRetry: edits.retry }
        : {},
  }
}

/** The name under which an invalid or unfinished text of a setting is kept. */
export const draftOf = (name: string) => `settings.${name}`
