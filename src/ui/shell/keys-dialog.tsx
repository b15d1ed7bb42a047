import { useSignals } from '@preact/signals-react/runtime'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { playerKeys } from '../player/keys'
import { Dialog } from '../components/dialog'
import { Switch } from '../components/switch'
import './keys-dialog.css'

const names: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' }

/** All keys, and a switch that turns those of one stroke off. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  useSignals()
  const { singleKeys } = useApp()
  const { t } = useTranslation()
  const rows: { keys: readonly string[]; text: string }[] = [
    ...playerKeys.map(({ keys, text }) => ({ keys: keys.map(key => (key === ' ' ? t('key-space') : key)), text })),
    { keys: ['/'], text: 'key-search' },
    { keys: ['?'], text: 'key-help' },
    { keys: [`${t('key-control')}+F`], text: 'key-search-toggle' },
    { keys: ['Esc'], text: 'key-close' },
  ]
  return (
    <Dialog title={t('keys')} onClose={onClose}>
      {() => (
        <>
          <dl className="keys">
            {rows.map(({ keys, text }) => (
              <Fragment key={text}>
                <dt>
                  {keys.map(key => (
                    <kbd key={key}>{names[key] ?? key}</kbd>
                  ))}
                </dt>
                <dd>{t(text)}</dd>
              </Fragment>
            ))}
          </dl>
          <Switch
            label={t('keys-single')}
            help={t('keys-single-help')}
            isOn={singleKeys.areOn.value}
            onChange={singleKeys.choose}
          />
        </>
      )}
    </Dialog>
  )
}
