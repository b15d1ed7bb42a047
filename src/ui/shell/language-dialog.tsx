import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { Dialog } from '../components/dialog'
import { chooseLanguage, currentLanguage } from '../i18n'
import { type Language, languages } from '../../shared/languages'
import './sheets.css'

/** The languages, each by its own name. */
export function LanguageDialog({ onClose }: { onClose: () => void }) {
  const { failed } = useApp()
  const { t } = useTranslation()
  const current = currentLanguage()
  return (
    <Dialog title={t('language')} onClose={onClose}>
      {close => (
        <ul className="language-list stack gap-4">
          {(Object.entries(languages) as [Language, string][]).map(([language, name]) => (
            <li key={language}>
              <button
                type="button"
                className="entry spread"
                lang={language}
                aria-pressed={language === current}
                onClick={() => void chooseLanguage(language).then(close, failed)}
              >
                {name}
                {language === current && <Check size={18} aria-hidden="true" />}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
