import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import type { SkipLengths } from '../../shared/api/user'
import { skipSeconds } from '../../shared/limits'
import { useApp } from '../app-context'
import { Dialog } from '../components/dialog'
import { SelectField } from '../components/fields'

const options = skipSeconds.map(String)

/** Sets the lengths of the two skip buttons; a choice is saved at once. */
export function SkipLengthsDialog({ onClose }: { onClose: () => void }) {
  useSignals()
  const { skipLengths, failed } = useApp()
  const { t } = useTranslation()
  const lengths = skipLengths.lengths.value
  const fieldOf = (way: keyof SkipLengths) => (
    <SelectField
      label={t(`skip-length-${way}`)}
      value={String(lengths[way])}
      options={options}
      textOf={seconds => t('seconds', { count: Number(seconds) })}
      onChange={seconds => void skipLengths.set({ ...lengths, [way]: Number(seconds) } as SkipLengths).catch(failed)}
    />
  )
  return (
    <Dialog title={t('skip-lengths')} onClose={onClose}>
      {() => (
        <>
          {fieldOf('back')}
          {fieldOf('forward')}
        </>
      )}
    </Dialog>
  )
}
