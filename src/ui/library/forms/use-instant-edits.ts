import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import { createInstantEdits } from '../../state/instant-edits'

/** Finds the setting that an error is about, '' if there is none, and its reason in words. Null = no failure. */
export function settingFailure(error: unknown): { field: string; reason: string } | null {
  if (error === null) return null
  return { field: error instanceof ApiError ? (error.args['field'] ?? '') : '', reason: describeFailure(error) }
}

type Needs<T> = {
  /** Sends an edit, and returns everything in its new state. */
  save: (edit: Partial<T>) => Promise<T>
  onSaved?: (saved: T) => void
  /** The name under which the unfinished text of a setting is kept. */
  draftOf: (name: string) => string
  /** Reads such a text. */
  read: (text: string, name: string) => unknown
}

/** Settings that are each saved as soon as they are changed. A refused value stays, with the reason. */
export function useInstantEdits<T extends object>(initial: T, { save, onSaved, draftOf, read }: Needs<T>) {
  useSignals()
  const { drafts, toasts } = useApp()
  const { t } = useTranslation()
  const [edits] = useState(() =>
    createInstantEdits<T>(initial, {
      save,
      onSaved(saved, edit) {
        for (const [name, value] of Object.entries(edit)) {
          const text = drafts.all.peek().get(draftOf(name))
          // Typed on since, it stays.
          if (typeof text === 'string' && read(text, name) === value) drafts.forget(draftOf(name))
        }
        onSaved?.(saved)
        toasts.done(t('settings-saved'))
      },
    }),
  )
  const refused = edits.refused.value
  const failure = refused && settingFailure(refused.error)
  return {
    values: edits.values.value,
    change: edits.change,
    /** Why this setting was refused, as props of its row; a setting that was sent along with it is not at fault. */
    failureOf: (name: keyof T & string) =>
      refused && failure && name in refused.edit && (failure.field === name || !(failure.field in refused.edit))
        ? { failure: failure.reason, onRetry: edits.retry }
        : {},
  }
}
