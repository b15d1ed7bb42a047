import { Fingerprint } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { BusyButton } from '../../components/busy-button'
import { FormFailure } from '../../components/field'
import { describeFailure } from '../../failure'
import './passkey-button.css'
import { usePasskeySignIn } from './use-passkey-sign-in'

/** Signs in by a passkey: of the button's own, or one that the browser suggests in the field of the name. */
export function PasskeyButton({ isRemembered }: { isRemembered: () => boolean }) {
  const { t } = useTranslation()
  const { isBusy, failure, ask } = usePasskeySignIn(isRemembered)
  return (
    <>
      <BusyButton className="with-icon outline passkey-button" isBusy={isBusy} onClick={ask}>
        {!isBusy && <Fingerprint size={18} aria-hidden="true" />}
        {t('use-passkey')}
      </BusyButton>
      <FormFailure reason={failure === null ? null : describeFailure(failure)} />
    </>
  )
}
