import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client'
import { BusyButton } from '../../components/busy-button'
import { FormFailure } from '../../components/fields'
import { onSubmit } from '../../components/use-action'
import { describeFailure } from '../../failure'

type Props = {
  isBusy: boolean
  /** True while the server refuses the current values. */
  isRefused?: boolean
  isChanged: boolean
  /** The reason why saving failed, if no field is at fault. */
  failure: string | null
  onSave: () => void
  onDiscard: () => void
  children: ReactNode
  /** Shown between the fields and the button. */
  preview?: ReactNode
}

/** A form of settings whose changes are kept until they are saved or discarded. */
export function SettingsForm({ failure, onSave, children, preview, ...foot }: Props) {
  return (
    <form onSubmit={onSubmit(onSave)}>
      {children}
      {preview}
      <FormFailure reason={failure} />
      <SettingsFoot {...foot} />
    </form>
  )
}

type FootProps = Pick<Props, 'isBusy' | 'isRefused' | 'isChanged' | 'onDiscard'>

function SettingsFoot({ isBusy, isRefused = false, isChanged, onDiscard }: FootProps) {
  const { t } = useTranslation()
  return (
    <div className="wrap row gap-12">
      <BusyButton type="submit" isBusy={isBusy} disabled={isRefused}>
        {t('save')}
      </BusyButton>
      {isChanged && (
        <>
          <button type="button" className="secondary" onClick={onDiscard}>
            {t('discard')}
          </button>
          <span className="muted" role="status">
            {t('not-saved-yet')}
          </span>
        </>
      )}
    </div>
  )
}

/** A reason in words. `field`: the setting at fault; '' if there is none. */
export type SettingFailure = { field: string; reason: string }

/** Finds the setting that an error is about. Null = no failure. */
export function settingFailure(error: unknown): SettingFailure | null {
  if (error === null) return null
  return { field: error instanceof ApiError ? (error.args['field'] ?? '') : '', reason: describeFailure(error) }
}
