import { Download } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Check } from '../../components/check'
import { Loaded } from '../../components/loaded'
import { formatBytes } from '../../format'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'

/** Everything of the user as one archive, which the browser saves while the server writes it. */
export function TakeEverything() {
  const { everything } = useAdministrationApi()
  const { t } = useTranslation()
  const id = useId()
  const size = useResource(everything.size, [])
  const [withFiles, setWithFiles] = useState(false)
  return (
    <section className="profile-card" aria-labelledby={id}>
      <h2 id={id}>{t('take-everything')}</h2>
      <p>{t('take-everything-text')}</p>
      <Loaded resource={size} rows={1}>
        {({ files, bytes }) =>
          files > 0 && (
            <Check isOn={withFiles} onChange={setWithFiles}>
              {t('take-everything-files', { size: formatBytes(bytes) })}
            </Check>
          )
        }
      </Loaded>
      <p className="muted">{t('take-everything-secrets')}</p>
      <a role="button" className="secondary with-icon" href={everything.address(withFiles)} download>
        <Download size={18} aria-hidden="true" />
        {t('take-everything-save')}
      </a>
    </section>
  )
}
