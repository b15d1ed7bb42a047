import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { copyText } from '../../device/clipboard'

/** Copies a key and shows a notice. */
export function useCopyKey() {
  const { toasts } = useApp()
  const { t } = useTranslation()
  return async (key: string) => {
    if (await copyText(key)) toasts.done(t('copied'))
  }
}
