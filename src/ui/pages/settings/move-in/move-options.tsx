import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Move } from '../../../../shared/api/move'
import { BusyButton } from '../../../components/busy-button'
import { TextField } from '../../../components/fields'
import { onSubmit, useAction } from '../../../components/use-action'
import { describeFailure } from '../../../failure'
import { SettingGroup, SettingSwitch } from '../../../library/forms/setting-row'
import { useMoves } from './moves'

/** Options for admins, where the source has them: people without an account here, and files. */
export function MoveOptionsForm({ move: { id, counts, options } }: { move: Move }) {
  const { t } = useTranslation()
  const moves = useMoves()
  const [withPeople, setWithPeople] = useState(options.withPeople)
  const [there, setThere] = useState(options.files?.there ?? '')
  const [here, setHere] = useState(options.files?.here ?? '')
  const choosing = useAction(() =>
    moves.choose(id, { withPeople, files: here.trim() === '' ? null : { there: there.trim(), here: here.trim() } }),
  )
  const isLeftOut = (wanted: string) => counts.some(({ reasons }) => reasons.some(({ reason }) => reason === wanted))
  const hasPeople = options.withPeople || isLeftOut('no-account')
  const hasFiles = options.files !== null || isLeftOut('no-folder')
  if (!hasPeople && !hasFiles) return null
  return (
    <form className="move-options" onSubmit={onSubmit(() => choosing.run())}>
      <SettingGroup title={t('move-options')}>
        {hasPeople && (
          <SettingSwitch
            label={t('move-with-people')}
            help={t('move-with-people-help')}
            isOn={withPeople}
            onChange={setWithPeople}
          />
        )}
        {hasFiles && (
          <fieldset className="padded move-card">
            <legend>{t('move-with-files')}</legend>
            <p className="muted">{t('move-with-files-help')}</p>
            <TextField
              label={t('move-files-here')}
              placeholder="/srv/podfetch/podcasts"
              value={here}
              spellCheck={false}
              autoCapitalize="off"
              failure={choosing.failure === null ? null : describeFailure(choosing.failure)}
              onChange={setHere}
            />
            <TextField
              label={t('move-files-there')}
              placeholder="podcasts"
              value={there}
              spellCheck={false}
              autoCapitalize="off"
              onChange={setThere}
            />
          </fieldset>
        )}
      </SettingGroup>
      <BusyButton type="submit" className="secondary" isBusy={choosing.isBusy}>
        {t('move-try-again')}
      </BusyButton>
    </form>
  )
}
